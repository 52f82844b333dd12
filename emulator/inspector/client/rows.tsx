/** The rows of one collection: a table, and a form to add, change or remove a row. */
import { useState } from 'preact/hooks'
import type { Overview, TableRow, Tables } from '../views.js'
import { ask } from './live.js'
import { Button, Empty, notify, parsed, Table, TextArea } from './ui.js'

interface RowsProps {
  table: Overview['tables'][number]
  rows: readonly TableRow[]
  /** The name of what a value in a column refers to, if it refers to anything. */
  nameOf: (column: string, value: unknown) => string | undefined
}

export function RowsTable({ table: { collection, title, columns }, rows, nameOf }: RowsProps) {
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
      {rows.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
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
      )}
    </>
  )
}

function text(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

interface FormProps {
  collection: keyof Tables
  row: string | null
  cells: TableRow['cells']
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
      <TextArea
        label={isNew ? 'New row, as JSON; what you leave out is filled in' : 'Row, as JSON'}
        value={json}
        onChange={setJson}
      />
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
