/** The state as tables, with the changes since the last reset, and a button to save it. */
import { useState } from 'preact/hooks'
import type { State } from '../../state/store.js'
import type { TableRow, Tables } from '../views.js'
import { ask, type SectionProps, useFetched } from './live.js'
import { RowsTable } from './rows.js'
import { Button, Checkbox, download, Empty, Section } from './ui.js'

const save = async () => download('tracker-state.json', await ask<State>('GET', 'state'))

export function StateSection({ live: { revision }, overview }: SectionProps) {
  const { data: tables, error } = useFetched<Tables>('inspector/state', revision)
  const [current, setCurrent] = useState<keyof Tables>('users')
  const [changesOnly, setChangesOnly] = useState(false)
  const table = overview.tables.find(({ collection }) => collection === current)
  const nameOf = (column: string, value: unknown) => {
    if (column === 'access_level') return overview.levels[Number(value)]
    const { collection, name } = overview.references[column] ?? {}
    if (!collection || !name) return undefined
    if (value === 0) return 'all'
    return String(tables?.[collection].find(({ cells }) => cells.id === value)?.cells[name] ?? '')
  }
  return (
    <Section id="state" title="State">
      <div class="toolbar">
        <Button label="Download" onClick={save} title="For createTracker({ seed }) and serve --seed" />
        <Checkbox
          label="Only what has changed since the last reset"
          value={changesOnly}
          onChange={setChangesOnly}
        />
      </div>
      {error && <Empty>{error}</Empty>}
      <fieldset class="choices">
        <legend class="unseen">Tables</legend>
        {overview.tables.map(({ collection, title }) => {
          const changes = tables?.[collection].filter(isChanged).length ?? 0
          const select = () => setCurrent(collection)
          const pressed = collection === current
          return (
            <Button key={collection} label={title} tone="choice" pressed={pressed} onClick={select}>
              {changes > 0 && <span class="count changed">{changes} changed</span>}
            </Button>
          )
        })}
      </fieldset>
      {table && tables && (
        <RowsTable
          key={current}
          table={table}
          rows={tables[current].filter((row) => !changesOnly || isChanged(row))}
          nameOf={nameOf}
        />
      )}
    </Section>
  )
}

const isChanged = ({ change }: TableRow) => change !== null
