/** The calls, newest first, with what is asked for of them. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ShownCall } from '../events.js'
import type { Overview } from '../views.js'
import { CallDetail } from './call.js'
import { Button, Choice, Empty, Input, Method, Section, Status, timeOf } from './ui.js'

const outcomes: Readonly<Record<string, { text: string; test: (call: ShownCall) => boolean }>> = {
  all: { text: 'All', test: () => true },
  good: { text: 'Succeeded', test: ({ response }) => response.status >= 200 && response.status < 400 },
  refused: { text: 'Refused (4xx)', test: ({ refusal }) => refusal !== null },
  broken: {
    text: 'Failed (5xx or no answer)',
    test: ({ response }) => response.status === 0 || response.status >= 500,
  },
  fault: { text: 'Hit by a fault', test: ({ fault }) => fault !== null },
  violation: { text: 'Not as documented', test: ({ violations }) => violations.length > 0 },
}

/** How many are drawn at first. */
const PAGE = 200

export function JournalSection({
  calls,
  overview,
}: {
  readonly calls: readonly ShownCall[]
  readonly overview: Overview
}) {
  const [search, setSearch] = useState('')
  const [outcome, setOutcome] = useState('all')
  const [operation, setOperation] = useState('')
  const [caller, setCaller] = useState('')
  const [most, setMost] = useState(PAGE)
  const [open, setOpen] = useState<number | null>(null)
  const list = useRef<HTMLOListElement>(null)

  const wanted = search.trim().toLowerCase()
  const found = calls.filter(
    (call) =>
      outcomes[outcome]?.test(call) &&
      (operation === '' || (call.operation ?? '-') === operation) &&
      (caller === '' || (call.caller ?? '-') === caller) &&
      (wanted === '' || textOf(call).includes(wanted)),
  )
  const shown = found.slice(-most).reverse()
  const filtered = wanted !== '' || outcome !== 'all' || operation !== '' || caller !== ''
  const clear = () => {
    setSearch('')
    setOutcome('all')
    setOperation('')
    setCaller('')
  }

  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')) return
      event.preventDefault()
      document.querySelector<HTMLInputElement>('.filters input')?.focus()
    }
    addEventListener('keydown', slash)
    return () => removeEventListener('keydown', slash)
  }, [])

  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const rows = [...(list.current?.querySelectorAll<HTMLButtonElement>('.call-row') ?? [])]
    const at = rows.indexOf(document.activeElement as HTMLButtonElement)
    if (step === undefined || at === -1) return
    event.preventDefault()
    rows[at + step]?.focus()
  }

  return (
    <Section id="journal" title="Journal">
      <div class="filters">
        <Input type="search" label="Search" value={search} onChange={setSearch} />
        <Choice
          label="Outcome"
          value={outcome}
          options={Object.entries(outcomes).map(([key, { text }]) => [key, text])}
          onChange={setOutcome}
        />
        <Choice
          label="Operation"
          value={operation}
          options={optionsOf(calls, (call) => call.operation, 'none')}
          onChange={setOperation}
        />
        <Choice
          label="Caller"
          value={caller}
          options={optionsOf(calls, (call) => call.caller, 'nobody')}
          onChange={setCaller}
        />
        <p class="found">
          <output>
            {found.length} of {calls.length}
          </output>
          {filtered && <Button onClick={clear}>Clear</Button>}
          {calls.length > 0 && (
            <a class="button" href="journal?format=har" download="journal.har">
              Download HAR
            </a>
          )}
        </p>
      </div>
      {calls.length === 0 && (
        <Empty>
          No calls yet. Point your client at <code>{overview.baseUrl}</code>, or{' '}
          <a href="#send">send a request</a> from here.
        </Empty>
      )}
      {calls.length > 0 && found.length === 0 && <Empty>No call matches.</Empty>}
      <ol class="calls" ref={list} onKeyDown={move}>
        {shown.map((call) => (
          <CallItem
            key={call.sequence}
            call={call}
            overview={overview}
            open={open === call.sequence}
            onToggle={() => setOpen((now) => (now === call.sequence ? null : call.sequence))}
          />
        ))}
      </ol>
      {found.length > most && (
        <Button onClick={() => setMost(most + PAGE)}>Show {Math.min(PAGE, found.length - most)} more</Button>
      )}
    </Section>
  )
}

interface CallProps {
  readonly call: ShownCall
  readonly overview: Overview
  readonly open: boolean
  readonly onToggle: () => void
}

function CallItem({ call, overview, open, onToggle }: CallProps) {
  // The same for the same call: one that came in does not draw the hundreds before it again.
  return useMemo(() => {
    const { sequence, at, method, path, operation, caller, response, durationMs, refusal, fault } = call
    const id = `call-${sequence}`
    return (
      <li class={open ? 'call open' : 'call'}>
        <button type="button" class="call-row" aria-expanded={open} aria-controls={id} onClick={onToggle}>
          <time dateTime={at}>{timeOf(at)}</time>
          <Status code={response.status} />
          <Method name={method} />
          <span class="what">
            <b>{operation ?? 'no operation'}</b> <span class="path">{path}</span>
          </span>
          <span class="who">{caller ?? 'nobody'}</span>
          <span class="took">{durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms</span>
          {(refusal || fault || call.violations.length > 0) && (
            <span class="why">
              {fault && <span class="tag bad">fault: {fault}</span>}
              {refusal && <span>{refusal.detail}</span>}
              {call.violations.length > 0 && (
                <span class="tag open">{call.violations.length} not as documented</span>
              )}
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

/** All that can be searched for. */
function textOf(call: ShownCall): string {
  // Without headers, in which nearly all calls are alike.
  const text =
    texts.get(call) ??
    JSON.stringify(call, (name, value) => (name === 'headers' ? undefined : value)).toLowerCase()
  texts.set(call, text)
  return text
}

function optionsOf(
  calls: readonly ShownCall[],
  of: (call: ShownCall) => string | null,
  none: string,
): (readonly [string, string])[] {
  const values = new Set(calls.map(of))
  const named = [...values].flatMap((value) => (value === null ? [] : [[value, value] as const])).sort()
  return [['', 'All'], ...named, ...(values.has(null) ? [['-', none] as const] : [])]
}
