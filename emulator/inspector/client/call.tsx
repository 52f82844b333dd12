/** One call in full: the request, the answer, and why it was refused. */
import type { ComponentChildren } from 'preact'
import type { Refusal } from '../../types.js'
import type { ShownCall } from '../routes.js'
import type { Overview } from '../views.js'
import { curlOf } from './curl.js'
import { ask } from './live.js'
import { Button, CopyButton, Headers, Json, notify, Prose, Status } from './ui.js'

export function CallDetail({ call, overview }: { call: ShownCall; overview: Overview }) {
  const { sequence, method, path, headers, body, response } = call
  const { refusal, learnt, fault, mails, violations } = call
  const replay = async () => {
    const { status } = await ask<{ status: number }>('POST', 'inspector/replay', { sequence })
    notify(`Sent again: ${status}`)
  }
  return (
    <div class="detail">
      <div class="actions">
        <CopyButton label="Copy as curl" text={() => curlOf(call, overview)} />
        <Button label="Replay" onClick={replay} title="Sends the same request again, with its token" />
      </div>
      {refusal && <Why refusal={refusal} levels={overview.levels} />}
      {learnt.length > 0 && (
        <Notes tone="learnt" title="Learnt from the original:">
          {learnt.map(({ decision, value, exchanges }) => (
            <li key={decision}>
              <Decided id={decision} value={value ?? undefined} />
              <Prose text={exchanges.length > 0 ? ` (exchanges ${exchanges.join(', ')} of its trace)` : ''} />
            </li>
          ))}
        </Notes>
      )}
      {fault && (
        <Notes tone="bad" title="A fault hit it:">
          <li>{fault}</li>
        </Notes>
      )}
      {violations.length > 0 && (
        <Notes tone="open" title="The document does not allow this request:">
          {violations.map(({ message, section }) => (
            <li key={message}>{`${message} (section ${section})`}</li>
          ))}
        </Notes>
      )}
      <div class="exchange">
        <section>
          <h2>Request</h2>
          <p class="line">
            <code>{`${method} ${path}`}</code>
          </p>
          <Headers list={Object.entries(headers)} />
          <Json value={body} />
        </section>
        <section>
          <h2>
            Answer <Status code={response.status} />
          </h2>
          <Headers list={Object.entries(response.headers)} />
          <Json value={response.body} />
        </section>
      </div>
      {mails.length > 0 && (
        <Notes tone="mails" title="A tracker would have sent:">
          {mails.map(({ id, kind, to, changes }) => (
            <li key={id}>
              {kind} to <code>{to}</code>
              {changes.map(({ field, from, to: now }) => `; ${field}: ${from || '–'} → ${now || '–'}`)}
            </li>
          ))}
        </Notes>
      )}
    </div>
  )
}

const Notes = ({ tone, title, children }: { tone: string; title: string; children: ComponentChildren }) => (
  <div class={`box ${tone}`}>
    <b>{title}</b>
    <ul>{children}</ul>
  </div>
)

const steps: Readonly<Record<string, string>> = {
  credentials: 'who is calling?',
  path: 'does the path lead to an operation?',
  body: 'can the body be read?',
  gate: 'may the caller do this kind of thing?',
  find: 'does the resource in the path exist?',
  guard: 'may the caller do it to this resource?',
  accept: 'are the values legal?',
  permit: 'may the caller set these values?',
}

function Why({ refusal, levels }: { refusal: Refusal; levels: Overview['levels'] }) {
  const { condition, detail, step, level, decision, ruling } = refusal
  const named = (number: number) => (levels[number] ? `${levels[number]} (${number})` : String(number))
  const needed = level?.needed == null ? 'and no level would be enough' : `needs ${named(level.needed)}`
  const passing = (ruling?.passesWith ?? []).map((value) => `\`${JSON.stringify(value)}\``)
  return (
    <div class="box why-box">
      <p>
        <b>Refused: {detail}</b>
      </p>
      <p>
        <Prose text={`Refused at \`${step}\` (${steps[step]}), by the condition \`${condition}\`.`} />
      </p>
      {level && <p>{`The caller has ${named(level.held)}, ${needed}.`}</p>}
      {decision && (
        <p>
          The decision <Decided id={decision} value={ruling?.value} />
          <Prose text={passing.length > 0 ? `; it would pass with ${passing.join(', ')}` : ''} />
        </p>
      )}
    </div>
  )
}

const Decided = ({ id, value }: { id: string; value: unknown }) => (
  <>
    <a href={`#decisions/${id}`}>{id}</a>
    <Prose text={value === undefined ? '' : ` is \`${JSON.stringify(value)}\``} />
  </>
)
