/** The faults that a person injects. */
import { useState } from 'preact/hooks'
import type { Fault, Tracker } from '../../types.js'
import type { FaultField } from '../views.js'
import { change } from './api.js'
import { type SectionProps, useFetched } from './live.js'
import { Button, Choice, Empty, Input, notify, optionsOf, parsed, Section } from './ui.js'

export type ActiveFaults = Tracker['faults']['active']

export function FaultsSection({ live, overview }: SectionProps) {
  const { data } = useFetched<ActiveFaults>('faults', live.changes)
  const faults = data ?? []
  const clear = async () => {
    await change('DELETE', 'faults')
    notify('All faults are removed')
  }
  return (
    <Section id="faults" title="Faults">
      <FaultForm fields={overview.faultFields} />
      <div class="heading">
        <h2>Active faults</h2>
        {faults.length > 0 && (
          <Button onClick={clear} tone="danger">
            Clear all
          </Button>
        )}
      </div>
      {data?.length === 0 && <Empty>None: the tracker answers normally.</Empty>}
      <ul class="list">
        {faults.map((fault) => (
          <li key={fault.id} class="box">
            <p>
              <b>{fault.operation ?? 'Every operation'}</b> {effectOf(fault)}{' '}
              <span class="pill">
                {fault.hits} {fault.hits === 1 ? 'hit' : 'hits'}
              </span>
              <Button onClick={() => change<void>('DELETE', `faults/${fault.id}`)}>Clear</Button>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

type Texts = Readonly<Record<string, string>>

/** Most faults strike once. */
const start: Texts = { times: '1' }

function FaultForm({ fields }: { fields: readonly FaultField[] }) {
  const [texts, setTexts] = useState(start)
  const add = async () => {
    const given = fields.filter(({ name }) => (texts[name] ?? '').trim() !== '')
    const values = given.map((field) => [field.name, entered(field, (texts[field.name] ?? '').trim())])
    await change('POST', 'faults', Object.fromEntries(values))
    notify('The fault is active')
  }
  const control = ({ name, label, about, kind, options }: FaultField) => {
    const value = texts[name] ?? ''
    const onChange = (text: string) => setTexts({ ...texts, [name]: text })
    const common = { key: name, label, value, onChange }
    return kind === 'choice' ? (
      <Choice {...common} options={optionsOf('not said', options)} />
    ) : (
      <Input {...common} title={about} inputMode={kind === 'number' ? 'decimal' : 'text'} />
    )
  }
  return (
    <div class="grid-form">
      {fields.filter(({ usual }) => usual).map(control)}
      <details>
        <summary>More</summary>
        <div class="grid-form">{fields.filter(({ usual }) => !usual).map(control)}</div>
      </details>
      <Button onClick={add} tone="primary">
        Add fault
      </Button>
    </div>
  )
}

function entered({ name, kind }: FaultField, text: string): unknown {
  if (kind === 'number') return Number(text)
  return kind === 'json' ? parsed(text, `The ${name} is not JSON: ${text}`) : text
}

function effectOf({ status, delay, transport, phase, times, nth, probability, when }: Fault): string {
  const caller = typeof when === 'object' ? when.caller : undefined
  return [
    status !== undefined && `answers ${status}`,
    delay !== undefined && `is delayed by ${typeof delay === 'number' ? `${delay}ms` : delay}`,
    transport && (transport === 'drop' ? 'gets no answer' : 'gets half an answer'),
    phase === 'after' && 'after it was carried out',
    caller && `for ${caller}`,
    nth !== undefined && `from call ${nth} on`,
    times !== undefined && (times === 1 ? 'once' : `${times} times`),
    probability !== undefined && `with probability ${probability}`,
  ]
    .filter(Boolean)
    .join(', ')
}
