/** The state as tables, with the changes since the last reset, a form to edit a row, and a button to save the state. */
import { useState } from 'preact/hooks'
import type { Overview, TableRow, Tables } from '../routes.js'
import { ask, type SectionProps, useFetched } from './live.js'
import { Button, Checkbox, Download, Empty, Field, notify, parsed, Table } from './ui.js'

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
    <>
      <div class="toolbar">
        <Download href="state" name="tracker-state.json" title="A seed for createTracker and serve --seed" />
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
    </>
  )
}

const isChanged = ({ change }: TableRow) => change !== null

interface RowsProps {
  table: Overview['tables'][number]
  rows: readonly TableRow[]
  /** The name of what a value in a column refers to, if it refers to anything. */
  nameOf: (column: string, value: unknown) => string | undefined
}

function RowsTable({ table: { collection, title, columns }, rows, nameOf }: RowsProps) {
  /** The row in the form; null: a new row; undefined: no form. */
  const [edited, edit] = useState<TableRow | null | undefined>(undefined)
  const shown = [...new Set([...columns, ...rows.flatMap(({ before }) => Object.keys(before))])]
  const sample = columns.filter((name) => name !== 'id').map((name) => [name, rows[0]?.cells[name] ?? null])
  const cell = ({ cells, before, change: what }: TableRow, column: string) => (
    <>
      {column === shown[0] && what && <span class={`mark ${what}`}>{what}</span>}
      {column in before && <del>{text(before[column])}</del>} {text(cells[column])}{' '}
      <span class="muted">{nameOf(column, cells[column])}</span>
    </>
  )
  return (
    <>
      <h2>
        {title} <span class="muted">{rows.length}</span>{' '}
        <Button label="Add" onClick={() => edit(null)} title={`Adds a row to ${title}`} />
      </h2>
      {edited !== undefined && (
        <RowForm
          key={edited?.key}
          collection={collection}
          row={edited?.key ?? null}
          cells={edited?.cells ?? Object.fromEntries(sample)}
          onDone={() => edit(undefined)}
        />
      )}
      <Table
        label={title}
        heads={[...shown.map((column) => column.replaceAll('_', ' ')), 'edit']}
        rows={rows.map((row) => ({
          key: row.key,
          class: row.change ?? '',
          cells: [
            ...shown.map((column) => cell(row, column)),
            row.change !== 'removed' && <Button label="Edit" onClick={() => edit(row)} />,
          ],
        }))}
      />
    </>
  )
}

function text(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

type FormProps = Pick<TableRow, 'cells'> & {
  collection: keyof Tables
  row: string | null
  onDone: () => void
}

function RowForm({ collection, row, cells, onDone }: FormProps) {
  const [json, setJson] = useState(JSON.stringify(cells, null, 2))
  const isNew = row === null
  const put = async (next: unknown, done: string) => {
    await ask('POST', 'inspector/row', { collection, key: row, cells: next })
    notify(done)
    onDone()
  }
  return (
    <div class="form">
      <Field label={isNew ? 'New row, as JSON; what you leave out is filled in' : 'Row, as JSON'}>
        <textarea
          rows={Math.min(24, Math.max(4, json.split('\n').length + 1))}
          spellcheck={false}
          value={json}
          onInput={(event) => setJson(event.currentTarget.value)}
        />
      </Field>
      <div class="actions">
        <Button
          label={isNew ? 'Add' : 'Save'}
          onClick={async () => put(parsed(json, 'This is not JSON'), isNew ? 'Added' : 'Saved')}
          tone="primary"
        />
        {!isNew && <Button label="Remove" onClick={() => put(null, 'Removed')} tone="danger" />}
        <Button label="Cancel" onClick={onDone} />
      </div>
    </div>
  )
}
