/** The state as tables, with what became of it since the last reset, and ways to keep it and to put it back. */
import { useState } from 'preact/hooks'
import type { State } from '../../state/store.js'
import type { Mail } from '../../types.js'
import type { Cells, TableRow, Tables } from '../tables.js'
import type { Overview } from '../views.js'
import { change, get } from './api.js'
import { EditRow } from './edit-row.js'
import { useFetched } from './live.js'
import { Outbox } from './outbox.js'
import { Snapshots } from './snapshots.js'
import { Button, CopyButton, download, Empty, notify, Section, WideTable } from './ui.js'

const OUTBOX = 'Outbox'

interface StateProps {
  readonly revision: number
  readonly overview: Pick<Overview, 'levels' | 'tables' | 'references'>
}

export function StateSection({ revision, overview }: StateProps) {
  const { levels, tables: groups, references } = overview
  const { data: tables, error } = useFetched<Tables>('inspector/state', revision)
  const { data: outbox } = useFetched<readonly Mail[]>('outbox', revision)
  const [group, setGroup] = useState(Object.keys(groups)[0] ?? OUTBOX)
  const [changesOnly, setChangesOnly] = useState(false)
  const [all, setAll] = useState(false)
  const changesIn = (name: string) =>
    (groups[name] ?? []).flatMap(({ collection }) => tables?.[collection].filter(isChanged) ?? []).length
  return (
    <Section id="state" title="State">
      <Snapshots>
        <Button onClick={save}>Download</Button>
        <Upload />
        <CopyButton text={() => get<string>('inspector/fixture')}>Copy as TypeScript fixture</CopyButton>
      </Snapshots>
      {error && <Empty>{error}</Empty>}
      <fieldset class="choices">
        <legend class="unseen">Tables</legend>
        {[...Object.keys(groups), OUTBOX].map((name) => (
          <button
            type="button"
            key={name}
            class="choice"
            aria-pressed={name === group}
            onClick={() => setGroup(name)}
          >
            {name}
            {name === OUTBOX
              ? outbox && outbox.length > 0 && <span class="count">{outbox.length}</span>
              : changesIn(name) > 0 && <span class="count changed">{changesIn(name)} changed</span>}
          </button>
        ))}
      </fieldset>
      {group !== OUTBOX && (
        <div class="filters">
          <label>
            <input type="checkbox" checked={changesOnly} onChange={() => setChangesOnly(!changesOnly)} /> Only
            what has changed since the last reset
          </label>
          <label>
            <input type="checkbox" checked={all} onChange={() => setAll(!all)} /> All columns
          </label>
        </div>
      )}
      {tables &&
        (groups[group] ?? []).map(({ collection, title, columns }) => (
          <RowsTable
            key={collection}
            collection={collection}
            title={title}
            columns={columns}
            rows={tables[collection].filter((row) => !changesOnly || isChanged(row))}
            all={all}
            nameOf={(column, value) =>
              column === 'access_level' ? levels[Number(value)] : nameOf(references, tables, column, value)
            }
          />
        ))}
      {group === OUTBOX && <Outbox mails={outbox ?? []} />}
    </Section>
  )
}

const isChanged = ({ change: what }: TableRow) => what !== null

async function save(): Promise<void> {
  download('tracker-state.json', JSON.stringify(await get<State>('state'), null, 2))
}

function Upload() {
  const upload = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    if (!file) return
    try {
      await change('PUT', 'state', JSON.parse(await file.text()))
      notify(`The state is that of ${file.name}`)
    } catch (error) {
      notify(`${file.name}: ${(error as Error).message}`, 'bad')
    }
    // The same file can be chosen once more.
    input.value = ''
  }
  return (
    <label class="button upload">
      Upload
      <input
        type="file"
        accept="application/json,.json"
        onChange={(event) => void upload(event.currentTarget)}
      />
    </label>
  )
}

interface TableProps {
  readonly collection: keyof Tables
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly TableRow[]
  readonly all: boolean
  readonly nameOf: (column: string, value: unknown) => string | undefined
}

function RowsTable({ collection, title, columns, rows, all, nameOf: named }: TableProps) {
  /** The row that is edited; null: a new one; undefined: none. */
  const [edited, edit] = useState<TableRow | null | undefined>(undefined)
  const others = rows.flatMap(({ cells, before }) => Object.keys(all ? cells : before))
  const shown = [...new Set([...columns, ...others])]
  return (
    <>
      <h2>
        {title} <span class="muted">{rows.length}</span>{' '}
        <Button onClick={() => edit(null)} title={`Adds a row to ${title}`}>
          Add
        </Button>
      </h2>
      {edited !== undefined && (
        <EditRow
          key={edited?.key}
          collection={collection}
          row={edited?.key ?? null}
          cells={
            edited?.cells ??
            Object.fromEntries(
              columns.filter((name) => name !== 'id').map((name) => [name, rows[0]?.cells[name] ?? null]),
            )
          }
          onDone={() => edit(undefined)}
        />
      )}
      {rows.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        <WideTable
          label={title}
          heads={[...shown.map((column) => column.replaceAll('_', ' ')), 'edit']}
          rows={rows.map((row) => (
            <Row key={row.key} row={row} columns={shown} named={named} onEdit={() => edit(row)} />
          ))}
        />
      )}
    </>
  )
}

interface RowProps {
  readonly row: TableRow
  readonly columns: readonly string[]
  readonly named: TableProps['nameOf']
  readonly onEdit: () => void
}

function Row({ row: { cells, change: what, before }, columns, named, onEdit }: RowProps) {
  return (
    <tr class={what ?? ''}>
      {columns.map((column, index) => (
        <td key={column} class={column in before ? 'differs' : ''} data-label={column.replaceAll('_', ' ')}>
          <span>
            {index === 0 && what && <span class={`mark ${what}`}>{what}</span>}
            {column in before && (
              <>
                <del>{text(before[column])}</del>{' '}
              </>
            )}
            {text(cells[column])} <span class="muted">{named(column, cells[column])}</span>
          </span>
        </td>
      ))}
      <td>{what !== 'removed' && <Button onClick={onEdit}>Edit</Button>}</td>
    </tr>
  )
}

/** What an id stands for. */
function nameOf(
  references: Overview['references'],
  tables: Tables,
  column: string,
  value: unknown,
): string | undefined {
  const [collection, name] = references[column] ?? []
  if (!collection || !name) return undefined
  if (value === 0) return 'all'
  const cells: Cells | undefined = tables[collection].find((row) => row.cells.id === value)?.cells
  return cells && String(cells[name])
}

function text(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
