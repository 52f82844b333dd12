/** What goes wrong because somebody wants it to. */
import { useState } from 'preact/hooks'
import type { Fault, Tracker } from '../../types.js'
import { change } from './api.js'
import { Button, Choice, Empty, Field, notify } from './ui.js'

export type ActiveFaults = Tracker['faults']['active']

const kinds = {
  status: 'An error status',
  delay: 'A late answer',
  drop: 'No answer: the connection ends',
  truncate: 'Half an answer',
} as const

type Kind = keyof typeof kinds

interface FaultsProps {
  readonly faults: ActiveFaults
  readonly operations: readonly string[]
}

export function Faults({ faults, operations }: FaultsProps) {
  const clear = async () => {
    await change('DELETE', 'faults')
    notify('No faults any more')
  }
  return (
    <section aria-labelledby="faults-title">
      <h1 id="faults-title">Faults</h1>
      <FaultForm operations={operations} />
      <div class="heading">
        <h2>Active faults</h2>
        {faults.length > 0 && (
          <Button onClick={clear} tone="danger">
            Clear all
          </Button>
        )}
      </div>
      {faults.length === 0 ? (
        <Empty>None: the tracker answers normally.</Empty>
      ) : (
        <ul class="faults">
          {faults.map((fault) => (
            <li key={fault.id} class="box">
              <p>
                <b>{fault.operation ?? 'Every operation'}</b> {wordsOf(fault)}{' '}
                <span class="pill">
                  {fault.hits} {fault.hits === 1 ? 'hit' : 'hits'}
                </span>
                <Button onClick={() => change<void>('DELETE', `faults/${fault.id}`)}>Clear</Button>
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function FaultForm({ operations }: Pick<FaultsProps, 'operations'>) {
  const [operation, setOperation] = useState('')
  const [kind, setKind] = useState<Kind>('status')
  const [status, setStatus] = useState('503')
  const [delay, setDelay] = useState('2s')
  const [caller, setCaller] = useState('')
  const [phase, setPhase] = useState('before')
  const [times, setTimes] = useState('1')
  const [nth, setNth] = useState('')
  const [probability, setProbability] = useState('')
  const [body, setBody] = useState('')
  const [headers, setHeaders] = useState('')
  const add = async () => {
    const fault = {
      ...(operation === '' ? {} : { operation }),
      ...(caller.trim() === '' ? {} : { when: { caller: caller.trim() } }),
      ...(kind === 'status' ? { status: Number(status), ...parsed({ body, headers }) } : {}),
      ...(kind === 'delay' ? { delay: delay.trim() } : {}),
      ...(kind === 'drop' || kind === 'truncate' ? { transport: kind } : {}),
      ...(phase === 'after' ? { phase } : {}),
      ...numbers({ times, nth, probability }),
    }
    await change('POST', 'faults', fault)
    notify('The fault is at work')
  }
  return (
    <div class="grid-form">
      <Choice
        label="Applies to"
        value={operation}
        options={[['', 'every operation'], ...operations.map((id) => [id, id] as const)]}
        onChange={setOperation}
      />
      <Choice
        label="With"
        value={kind}
        options={Object.entries(kinds)}
        onChange={(value) => setKind(value as Kind)}
      />
      {kind === 'status' && <Entry label="Status" value={status} onChange={setStatus} numeric />}
      {kind === 'delay' && <Entry label="Delay (250ms, 2s, 5m)" value={delay} onChange={setDelay} />}
      <Entry label="How often (empty: always)" value={times} onChange={setTimes} numeric />
      <Choice
        label="When"
        value={phase}
        options={[
          ['before', 'instead of the operation'],
          ['after', 'after the operation is done'],
        ]}
        onChange={setPhase}
      />
      <details>
        <summary>More</summary>
        <div class="grid-form">
          <Entry label="Only calls of the user" value={caller} onChange={setCaller} />
          <Entry label="From the n-th call on" value={nth} onChange={setNth} numeric />
          {kind === 'status' && <Entry label="Body, as JSON" value={body} onChange={setBody} />}
          {kind === 'status' && <Entry label="Headers, as JSON" value={headers} onChange={setHeaders} />}
          <Entry label="Probability, 0 to 1" value={probability} onChange={setProbability} numeric />
        </div>
      </details>
      <Button onClick={add} tone="primary">
        Add fault
      </Button>
    </div>
  )
}

interface EntryProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly numeric?: boolean
}

function Entry({ label, value, onChange, numeric = false }: EntryProps) {
  return (
    <Field label={label}>
      <input
        value={value}
        inputMode={numeric ? 'decimal' : 'text'}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}

/** What is empty is left out. */
const numbers = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, Number(text)]])),
  )

const parsed = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, json(name, text)]])),
  )

function json(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`The ${name} is not JSON: ${text}`)
  }
}

function wordsOf({ status, delay, transport, phase, times, nth, probability, when }: Fault): string {
  const caller = typeof when === 'object' ? when.caller : undefined
  return [
    ...(status === undefined ? [] : [`answers ${status}`]),
    ...(delay === undefined ? [] : [`is held back for ${typeof delay === 'number' ? `${delay}ms` : delay}`]),
    ...(transport === 'drop' ? ['gets no answer'] : transport === 'truncate' ? ['gets half an answer'] : []),
    ...(phase === 'after' ? ['after it was carried out'] : []),
    ...(caller ? [`for ${caller}`] : []),
    ...(nth === undefined ? [] : [`from call ${nth} on`]),
    ...(times === undefined ? [] : [times === 1 ? 'once' : `${times} times`]),
    ...(probability === undefined ? [] : [`with probability ${probability}`]),
  ].join(', ')
}
