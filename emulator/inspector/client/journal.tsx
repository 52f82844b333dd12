/** The calls, newest first, with a search; each in full, with the reason why it was refused. */
import { type ComponentChildren, toChildArray } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { memoised } from '../../../conformance/contract/memoised.js'
import type { Refusal } from '../../types.js'
import type { Overview, ShownCall } from '../routes.js'
import { curlOf } from './curl.js'
import { ask, type SectionProps } from './live.js'
import { Button, Choice, Download, Empty, Headers, Input, Json, notify, Prose, Status } from './ui.js'

const outcomes: Readonly<Record<string, (call: ShownCall) => boolean>> = {
  Succeeded: ({ response }) => response.status >= 200 && response.status < 400,
  'Refused (4xx)': ({ refusal }) => refusal !== null,
  'Failed (5xx or no answer)': ({ response: { status } }) => status === 0 || status >= 500,
  'Hit by a fault': ({ fault }) => fault !== null,
  'Not as documented': ({ violations }) => violations.length > 0,
}

export function JournalSection({ live: { calls }, overview }: SectionProps) {
  const [search, setSearch] = useState('')
  const [outcome, setOutcome] = useState('')
  const [open, setOpen] = useState<number | null>(null)
  const wanted = search.trim().toLowerCase()
  const found = calls.filter(
    (call) => (outcomes[outcome]?.(call) ?? true) && (wanted === '' || textOf(call).includes(wanted)),
  )
  const clear = () => {
    setSearch('')
    setOutcome('')
  }
  return (
    <>
      <div class="filters">
        <Input type="search" label="Search" value={search} onChange={setSearch} />
        <Choice
          label="Outcome"
          value={outcome}
          empty="All"
          options={Object.keys(outcomes)}
          onChange={setOutcome}
        />
        <p class="found">
          <output>{`${found.length} of ${calls.length}`}</output>
          {search + outcome !== '' && <Button label="Clear" onClick={clear} />}
          {calls.length > 0 && <Download href="journal?format=har" name="journal.har" label="Download HAR" />}
        </p>
      </div>
      {calls.length === 0 && (
        <Empty>
          No calls yet. Point your client at <code>{overview.baseUrl}</code>.
        </Empty>
      )}
      {calls.length > 0 && found.length === 0 && <Empty>No call matches.</Empty>}
      <ol class="calls">
        {found.toReversed().map((call) => (
          <CallItem
            key={call.sequence}
            call={call}
            overview={overview}
            open={open === call.sequence}
            onToggle={() => setOpen((now) => (now === call.sequence ? null : call.sequence))}
          />
        ))}
      </ol>
    </>
  )
}

type CallProps = { call: ShownCall; overview: Overview; open: boolean; onToggle: () => void }

function CallItem({ call, overview, open, onToggle }: CallProps) {
  // Kept for each call, so that a new call does not redraw the hundreds before it.
  return useMemo(() => {
    const { sequence, at, method, path, operation, caller, response } = call
    const { durationMs, refusal, fault, violations } = call
    const id = `call-${sequence}`
    return (
      <li class={open ? 'call open' : 'call'}>
        <button type="button" class="call-row" aria-expanded={open} aria-controls={id} onClick={onToggle}>
          <time dateTime={at}>{at.slice(11, 23)}</time>
          <Status code={response.status} />
          <span class="method">{method}</span>
          <span class="what">
            <b>{operation ?? 'no operation'}</b> <span class="path">{path}</span>
          </span>
          <span class="who">{caller ?? 'nobody'}</span>
          <span class="took">{durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms</span>
          {(refusal || fault || violations.length > 0) && (
            <span class="why">
              {fault && <span class="tag bad">fault: {fault}</span>}
              {refusal && <span>{refusal.detail}</span>}
              {violations.length > 0 && <span class="tag open">{violations.length} not as documented</span>}
            </span>
          )}
        </button>
        <div id={id} hidden={!open}>
          {open && <CallDetail call={call} overview={overview} />}
        </div>
      </li>
    )
  }, [call, overview, open])
}

/** The text of a call for the search: without headers, which are nearly the same in all calls. */
const textOf = memoised(({ headers: _, response, ...rest }: ShownCall) =>
  JSON.stringify([rest, response.status, response.body]).toLowerCase(),
)

function CallDetail({ call, overview }: { call: ShownCall; overview: Overview }) {
  const { sequence, method, path, headers, body, response } = call
  const { refusal, learnt, fault, mails, violations } = call
  const replay = async () => {
    const { status } = await ask<{ status: number }>('POST', 'inspector/replay', { sequence })
    notify(`Sent again: ${status}`)
  }
  const copy = async () => {
    // Without TLS, a browser allows the clipboard only for pages from this machine.
    if (!navigator.clipboard)
      throw new Error('The browser does not let the page copy; select the text by hand')
    await navigator.clipboard.writeText(curlOf(call, overview))
    notify('Copied')
  }
  return (
    <div class="detail">
      <div class="actions">
        <Button label="Copy as curl" onClick={copy} />
        <Button label="Replay" onClick={replay} title="Sends the same request again, with its token" />
      </div>
      {refusal && <Why refusal={refusal} levels={overview.levels} />}
      <Notes tone="learnt" title="Learnt from the original:">
        {learnt.map(({ decision, value, exchanges }) => (
          <li key={decision}>
            <Decided id={decision} value={value ?? undefined} />
            <Prose text={exchanges.length > 0 ? ` (exchanges ${exchanges.join(', ')} of its trace)` : ''} />
          </li>
        ))}
      </Notes>
      {fault && <p class="box bad">A fault hit it: {fault}</p>}
      <Notes tone="open" title="The document does not allow this request:">
        {violations.map(({ message, section }) => (
          <li key={message}>{`${message} (section ${section})`}</li>
        ))}
      </Notes>
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
      <Notes tone="mails" title="A tracker would have sent:">
        {mails.map(({ id, kind, to, changes }) => (
          <li key={id}>
            {kind} to <code>{to}</code>
            {changes.map(({ field, from, to: now }) => `; ${field}: ${from || '–'} → ${now || '–'}`)}
          </li>
        ))}
      </Notes>
    </div>
  )
}

type NotesProps = { tone: string; title: string; children: ComponentChildren }

/** A list with a title; nothing where the list is empty. */
const Notes = ({ tone, title, children }: NotesProps) =>
  toChildArray(children).length > 0 && (
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
