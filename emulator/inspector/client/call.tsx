/** One call in full: the request, the answer, and why it was refused. */
import type { Refusal } from '../../types.js'
import type { ShownCall } from '../events.js'
import type { Overview } from '../views.js'
import { change } from './api.js'
import { curlOf } from './curl.js'
import { Outbox } from './outbox.js'
import { Button, CopyButton, Headers, Json, notify, Status } from './ui.js'

export function CallDetail({ call, overview }: { call: ShownCall; overview: Overview }) {
  const { sequence, method, path, headers, body, response } = call
  const { refusal, learnt, fault, mails, violations } = call
  const replay = async () => {
    const { status } = await change<{ status: number }>('POST', 'inspector/replay', { sequence })
    notify(`Sent again: ${status}`)
  }
  return (
    <div class="detail">
      <div class="actions">
        <CopyButton text={() => curlOf(call, overview)}>Copy as curl</CopyButton>
        <Button onClick={replay} title="Sends the same request again, with its token">
          Replay
        </Button>
      </div>
      {refusal && <Why refusal={refusal} levels={overview.levels} />}
      {learnt.length > 0 && (
        <div class="box learnt">
          <b>Learnt from the original:</b>
          <ul>
            {learnt.map(({ decision, value, exchanges }) => (
              <li key={decision}>
                <Decided id={decision} value={value ?? undefined} />
                {exchanges.length > 0 && (
                  <span class="muted"> (exchanges {exchanges.join(', ')} of its trace)</span>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {fault && (
        <p class="box bad">
          <b>A fault hit it:</b> {fault}
        </p>
      )}
      {violations.length > 0 && (
        <div class="box open">
          <b>The document does not allow this request:</b>
          <ul>
            {violations.map(({ message, section }) => (
              <li key={message}>
                {message} <span class="muted">(section {section})</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="exchange">
        <section>
          <h2>Request</h2>
          <p class="line">
            <code>
              {method} {path}
            </code>
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
        <section>
          <h2>Mail</h2>
          <Outbox mails={mails} />
        </section>
      )}
    </div>
  )
}

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
  const needed = (number: number | null) =>
    number === null ? 'and no level would be enough' : `needs ${named(number)}`
  return (
    <div class="box why-box">
      <p>
        <b>Refused: {detail}</b>
      </p>
      <p>
        Refused at <code>{step}</code> ({steps[step]}), by the condition <code>{condition}</code>.
      </p>
      {level && (
        <p>
          The caller has {named(level.held)}, {needed(level.needed)}.
        </p>
      )}
      {decision && (
        <p>
          The decision <Decided id={decision} value={ruling?.value} />
          {ruling?.passesWith.map((value, index) => (
            <>
              {index === 0 ? '; it would pass with ' : ', '}
              <code>{JSON.stringify(value)}</code>
            </>
          ))}
        </p>
      )}
    </div>
  )
}

function Decided({ id, value }: { id: string; value: unknown }) {
  return (
    <>
      <a href={`#decisions/${id}`}>{id}</a>
      {value !== undefined && (
        <>
          {' is '}
          <code>{JSON.stringify(value)}</code>
        </>
      )}
    </>
  )
}
