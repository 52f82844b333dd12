/** The faults that a person injects. */
import { useState } from 'preact/hooks'
import type { Tracker } from '../../types.js'
import type { FaultField } from '../routes.js'
import { ask, type SectionProps, useFetched } from './live.js'
import { Button, Choice, Empty, Input, notify, parsed } from './ui.js'

export type ActiveFaults = Tracker['faults']['active']

export function FaultsSection({ live, overview }: SectionProps) {
  const { data } = useFetched<ActiveFaults>('faults', live.changes)
  const faults = data ?? []
  const clear = async () => {
    await ask('DELETE', 'faults')
    notify('All faults are removed')
  }
  return (
    <>
      <p>
        A fault makes calls fail or wait. Without an operation and a condition, it hits the next calls of any
        kind.
      </p>
      <FaultForm fields={overview.faultFields} />
      <div class="heading">
        <h2>Active faults</h2>
        {faults.length > 0 && <Button label="Clear all" onClick={clear} tone="danger" />}
      </div>
      {data?.length === 0 && <Empty>None: the tracker answers normally.</Empty>}
      <ul class="list">
        {faults.map(({ id, hits, ...fault }) => (
          <li key={id} class="box">
            <p>
              <code>{JSON.stringify(fault)}</code>
              <span class="pill">{hits === 1 ? '1 hit' : `${hits} hits`}</span>
              <Button label="Clear" onClick={() => ask('DELETE', `faults/${id}`)} />
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Most faults strike once. */
const start: Readonly<Record<string, string>> = { times: '1' }

function FaultForm({ fields }: { fields: readonly FaultField[] }) {
  const [texts, setTexts] = useState(start)
  const add = async () => {
    const given = fields.flatMap(({ name }) => {
      const text = texts[name]?.trim() ?? ''
      return text === '' ? [] : [[name, parsed(text)]]
    })
    await ask('POST', 'faults', Object.fromEntries(given))
    notify('The fault is active')
  }
  return (
    <div class="grid-form">
      {fields.map(({ name, about, options }) => {
        const value = texts[name] ?? ''
        const onChange = (text: string) => setTexts({ ...texts, [name]: text })
        const common = { key: name, label: name, value, onChange, title: about }
        return options.length > 0 ? (
          <Choice {...common} empty="default" options={options} />
        ) : (
          <Input {...common} placeholder={name === 'when' || name === 'headers' ? 'JSON' : ''} />
        )
      })}
      <Button label="Add fault" onClick={add} tone="primary" />
    </div>
  )
}
