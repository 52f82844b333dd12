/** The calls, newest first, with a search. */
import { useMemo, useState } from 'preact/hooks'
import type { ShownCall } from '../routes.js'
import type { Overview } from '../views.js'
import { CallDetail } from './call.js'
import type { SectionProps } from './live.js'
import { Button, Choice, Empty, Input, Section, Status } from './ui.js'

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
    <Section id="journal" title="Journal">
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
          {calls.length > 0 && (
            <a class="button" href="journal?format=har" download="journal.har">
              Download HAR
            </a>
          )}
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
    </Section>
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

const texts = new WeakMap<ShownCall, string>()

/** The text of a call for the search: without headers, which are nearly the same in all calls. */
function textOf(call: ShownCall): string {
  const { headers: _, response, ...rest } = call
  const text = texts.get(call) ?? JSON.stringify([rest, response.status, response.body]).toLowerCase()
  texts.set(call, text)
  return text
}
