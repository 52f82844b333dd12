/** The state as tables, with the changes since the last reset, and buttons to save and restore it. */
import { useState } from 'preact/hooks'
import type { State } from '../../state/store.js'
import type { Mail } from '../../types.js'
import type { TableRow, Tables } from '../tables.js'
import { change, get } from './api.js'
import { type SectionProps, useFetched } from './live.js'
import { Outbox } from './outbox.js'
import { RowsTable } from './rows.js'
import { Button, Checkbox, download, Empty, notify, parsed, Section, tried } from './ui.js'

const OUTBOX = 'Outbox'

export function StateSection({ live: { revision }, overview }: SectionProps) {
  const { data: tables, error } = useFetched<Tables>('inspector/state', revision)
  const { data: outbox } = useFetched<readonly Mail[]>('outbox', revision)
  const groups = [...new Set(overview.tables.map((table) => table.group)), OUTBOX]
  const [group, setGroup] = useState(groups[0])
  const [changesOnly, setChangesOnly] = useState(false)
  const [all, setAll] = useState(false)
  const tablesIn = (name: string | undefined) => overview.tables.filter((table) => table.group === name)
  const countOf = (name: string) => {
    if (name === OUTBOX) return outbox?.length ? <span class="count">{outbox.length}</span> : null
    const changed = tablesIn(name).flatMap(({ collection }) => tables?.[collection].filter(isChanged) ?? [])
    return changed.length > 0 && <span class="count changed">{changed.length} changed</span>
  }
  const save = async () => download('tracker-state.json', await get<State>('state'))
  return (
    <Section id="state" title="State">
      <div class="toolbar">
        <Button onClick={save} title="For createTracker({ seed }) and serve --seed">
          Download
        </Button>
        <Upload />
      </div>
      {error && <Empty>{error}</Empty>}
      <fieldset class="choices">
        <legend class="unseen">Tables</legend>
        {groups.map((name) => (
          <Button key={name} tone="choice" pressed={name === group} onClick={() => setGroup(name)}>
            {name}
            {countOf(name)}
          </Button>
        ))}
      </fieldset>
      {group === OUTBOX ? (
        <Outbox mails={outbox ?? []} />
      ) : (
        <div class="filters">
          <Checkbox
            label="Only what has changed since the last reset"
            value={changesOnly}
            onChange={setChangesOnly}
          />
          <Checkbox label="All columns" value={all} onChange={setAll} />
        </div>
      )}
      {tables &&
        tablesIn(group).map((table) => (
          <RowsTable
            key={table.collection}
            table={table}
            rows={tables[table.collection].filter((row) => !changesOnly || isChanged(row))}
            all={all}
            nameOf={(column, value) => {
              if (column === 'access_level') return overview.levels[Number(value)]
              const { collection, name } = overview.references[column] ?? {}
              if (!collection || !name) return undefined
              if (value === 0) return 'all'
              return String(tables[collection].find(({ cells }) => cells.id === value)?.cells[name] ?? '')
            }}
          />
        ))}
    </Section>
  )
}

const isChanged = ({ change: what }: TableRow) => what !== null

function Upload() {
  const put = async (file: File) => {
    const state = parsed(await file.text(), `${file.name} is not JSON`)
    await change('PUT', 'state', state).catch((error: Error) => {
      throw new Error(`${file.name}: ${error.message}`)
    })
    notify(`Restored the state of ${file.name}`)
  }
  const upload = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    if (file) await tried(() => put(file))
    // Allows choosing the same file again.
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
