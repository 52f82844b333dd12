/** The state as tables, with the changes since the last reset, and a button to save it. */
import { useState } from 'preact/hooks'
import type { State } from '../../state/store.js'
import type { Mail } from '../../types.js'
import type { TableRow, Tables } from '../views.js'
import { get, type SectionProps, useFetched } from './live.js'
import { Outbox } from './outbox.js'
import { RowsTable } from './rows.js'
import { Button, Checkbox, download, Empty, Section } from './ui.js'

const OUTBOX = 'Outbox'

export function StateSection({ live: { revision }, overview }: SectionProps) {
  const { data: tables, error } = useFetched<Tables>('inspector/state', revision)
  const { data: outbox } = useFetched<readonly Mail[]>('outbox', revision)
  const [title, setTitle] = useState(overview.tables[0]?.title)
  const [changesOnly, setChangesOnly] = useState(false)
  const counts = new Map([
    ...overview.tables.map(
      (one) => [one.title, tables?.[one.collection].filter(isChanged).length ?? 0] as const,
    ),
    [OUTBOX, outbox?.length ?? 0],
  ])
  const table = overview.tables.find((one) => one.title === title)
  const nameOf = (column: string, value: unknown) => {
    if (column === 'access_level') return overview.levels[Number(value)]
    const { collection, name } = overview.references[column] ?? {}
    if (!collection || !name) return undefined
    if (value === 0) return 'all'
    return String(tables?.[collection].find(({ cells }) => cells.id === value)?.cells[name] ?? '')
  }
  const save = async () => download('tracker-state.json', await get<State>('state'))
  return (
    <Section id="state" title="State">
      <div class="toolbar">
        <Button onClick={save} title="For createTracker({ seed }) and serve --seed">
          Download
        </Button>
      </div>
      {error && <Empty>{error}</Empty>}
      <fieldset class="choices">
        <legend class="unseen">Tables</legend>
        {[...counts].map(([name, count]) => (
          <Button key={name} tone="choice" pressed={name === title} onClick={() => setTitle(name)}>
            {name}
            {count > 0 && <span class="count changed">{name === OUTBOX ? count : `${count} changed`}</span>}
          </Button>
        ))}
      </fieldset>
      {title === OUTBOX && <Outbox mails={outbox ?? []} />}
      {table && tables && (
        <>
          <div class="filters">
            <Checkbox
              label="Only what has changed since the last reset"
              value={changesOnly}
              onChange={setChangesOnly}
            />
          </div>
          <RowsTable
            key={table.collection}
            table={table}
            rows={tables[table.collection].filter((row) => !changesOnly || isChanged(row))}
            nameOf={nameOf}
          />
        </>
      )}
    </Section>
  )
}

const isChanged = ({ change }: TableRow) => change !== null
