/** What goes wrong because somebody wants it to. */
import { useState } from 'preact/hooks'
import type { Fault, Tracker } from '../../types.js'
import type { FaultField } from '../views.js'
import { change } from './api.js'
import { Button, Choice, Empty, Input, notify, parsed, Section } from './ui.js'

export type ActiveFaults = Tracker['faults']['active']

interface FaultsProps {
  readonly faults: ActiveFaults
  readonly fields: readonly FaultField[]
}

export function FaultsSection({ faults, fields }: FaultsProps) {
  const clear = async () => {
    await change('DELETE', 'faults')
    notify('No faults any more')
  }
  return (
    <Section id="faults" title="Faults">
      <FaultForm fields={fields} />
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
                <b>{fault.operation ?? 'Every operation'}</b> {effectOf(fault)}{' '}
                <span class="pill">
                  {fault.hits} {fault.hits === 1 ? 'hit' : 'hits'}
                </span>
                <Button onClick={() => change<void>('DELETE', `faults/${fault.id}`)}>Clear</Button>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

type Texts = Readonly<Record<string, string>>

/** Most faults are to strike once. */
const start: Texts = { times: '1' }

function FaultForm({ fields }: Pick<FaultsProps, 'fields'>) {
  const [texts, setTexts] = useState(start)
  const add = async () => {
    // What is empty is left out.
    const given = fields.filter(({ name }) => (texts[name] ?? '').trim() !== '')
    await change(
      'POST',
      'faults',
      Object.fromEntries(given.map((field) => [field.name, entered(field, texts)])),
    )
    notify('The fault is at work')
  }
  const entry = (field: FaultField) => (
    <Entry
      key={field.name}
      field={field}
      value={texts[field.name] ?? ''}
      onChange={(text) => setTexts({ ...texts, [field.name]: text })}
    />
  )
  return (
    <div class="grid-form">
      {fields.filter(({ usual }) => usual).map(entry)}
      <details>
        <summary>More</summary>
        <div class="grid-form">{fields.filter(({ usual }) => !usual).map(entry)}</div>
      </details>
      <Button onClick={add} tone="primary">
        Add fault
      </Button>
    </div>
  )
}

interface EntryProps {
  readonly field: FaultField
  readonly value: string
  readonly onChange: (value: string) => void
}

function Entry({ field: { label, about, kind, options }, value, onChange }: EntryProps) {
  if (kind === 'choice')
    return (
      <Choice
        label={label}
        value={value}
        options={[['', 'not said'], ...options.map((option) => [option, option] as const)]}
        onChange={onChange}
      />
    )
  return (
    <Input
      label={label}
      value={value}
      title={about}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      onChange={onChange}
    />
  )
}

function entered({ name, kind }: FaultField, texts: Texts): unknown {
  const text = (texts[name] ?? '').trim()
  if (kind === 'number') return Number(text)
  return kind === 'json' ? parsed(text, `The ${name} is not JSON: ${text}`) : text
}

function effectOf({ status, delay, transport, phase, times, nth, probability, when }: Fault): string {
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
