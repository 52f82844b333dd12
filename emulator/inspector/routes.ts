/** The routes that the inspector's page needs in addition to the rest of the control plane, and what they answer. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import type { DecisionWords } from '../../conformance/contract/decisions/index.js'
import { version } from '../../conformance/contract/version.js'
import { faultSchema } from '../arrange/faults.js'
import type { Open } from '../decisions/define.js'
import { decisionIds, entry } from '../decisions/index.js'
import { type Reply, textReply } from '../http/message.js'
import { jsonRoute, type Route, route } from '../http/routes.js'
import { identityIn } from '../observe/diff.js'
import { MASK } from '../observe/journal.js'
import type { AnyRecord, Reference, ShownCollection } from '../state/collections.js'
import { references, rowOf, shownCollections } from '../state/collections.js'
import { levelName, levelNumbers } from '../state/levels.js'
import type { AnyTable } from '../state/store.js'
import type { JournalEntry, Tracker, Violation } from '../types.js'
import { icon, page, style } from './page.js'
import { type RunSuite, suiteRoutes } from './suite.js'

/** Their paths are below `inspector/`, except the page itself, the events and the suite. */
export function inspectorRoutes(tracker: Tracker, runSuite: RunSuite | undefined): readonly Route[] {
  return [
    route('GET ', null, () => page),
    route('GET events', 'the journal and each new call, as server-sent events', () => eventStream(tracker)),
    route('GET assets/main.js', null, async () => {
      const { clientScript } = await import('./location.js')
      return textReply('text/javascript', await readFile(clientScript, 'utf8'))
    }),
    route('GET assets/style.css', null, () => textReply('text/css', style)),
    route('GET assets/icon.svg', null, () => textReply('image/svg+xml', icon)),
    jsonRoute('GET inspector/overview', null, ({ baseUrl }) => overviewOf(tracker, baseUrl, !!runSuite)),
    jsonRoute('GET inspector/state', null, () => tablesOf(tracker)),
    jsonRoute('POST inspector/row', null, ({ json }) => editRow(tracker, json())),
    jsonRoute('GET inspector/ledger', null, () => ledgerOf(tracker)),
    jsonRoute('POST inspector/replay', null, async ({ json }) => {
      const { sequence } = checked(z.strictObject({ sequence: z.int() }), json(), 'replay')
      const { status } = await tracker.replay(sequence)
      return { status }
    }),
    ...(runSuite ? suiteRoutes(tracker, runSuite) : []),
  ]
}

export interface ShownCall extends JournalEntry {
  readonly violations: readonly Violation[]
}

/** First the whole journal, then one event for each call or change. */
function eventStream(tracker: Tracker): Reply {
  const shown = (entries: readonly JournalEntry[]): ShownCall[] => {
    const { violations } = tracker
    const ofCall = (wanted: number) => violations.filter(({ sequence }) => sequence === wanted)
    return entries.map((entry) => ({ ...entry, violations: ofCall(entry.sequence) }))
  }
  return {
    status: 200,
    headers: [['content-type', 'text/event-stream']],
    body: null,
    stream(write) {
      // JSON without indentation has no line breaks, so one line of data is enough.
      const send = (event: string, data: unknown) =>
        write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      send('journal', shown(tracker.journal))
      return tracker.watch((event) =>
        event.kind === 'call' ? send('call', shown([event.entry])[0]) : send('changed', event.kind),
      )
    },
  }
}

export type Overview = ReturnType<typeof overviewOf>
export type FaultField = Overview['faultFields'][number]
export type LedgerEntry = ReturnType<typeof ledgerOf>[number]

function overviewOf(tracker: Tracker, baseUrl: string, suite: boolean) {
  const { ext, vary, learnt } = tracker
  return {
    ...{ version, baseUrl, ext, vary, suite, isTwin: learnt !== null },
    /** The path of the REST root as the journal shows it. */
    root: new URL(tracker.baseUrl).pathname,
    levels: Object.fromEntries(levelNumbers.map((level) => [level, levelName(level)])),
    tables: shownCollections.flatMap((collection) => {
      const { shown } = rowOf(collection)
      return shown ? [{ collection, ...shown }] : []
    }),
    references: references as Readonly<Partial<Record<string, (typeof references)[Reference]>>>,
    faultFields: faultFields(),
  }
}

/** The fields of the form for faults, from the schema. A field without options takes any JSON value, or a text. */
const faultFields = () =>
  Object.entries(faultSchema.shape).map(([name, field]) => {
    const kind: z.ZodType = field.unwrap()
    const options: readonly string[] = kind instanceof z.ZodEnum ? Object.values(kind.enum).map(String) : []
    return { name, about: kind.description ?? '', options }
  })

/** `open`: values that are not listed are legal, too. */
const ledgerOf = ({ decisions, learnt }: Tracker) =>
  decisionIds.map((id) => {
    const { schema, ...decision } = entry(id) as Open & DecisionWords
    const value: unknown = decisions[id]
    const origin = learnt ? originOf(learnt.get(id)) : ''
    return { ...decision, id, value, open: schema !== undefined, origin }
  })

function originOf(learnt: ReturnType<NonNullable<Tracker['learnt']>['get']>): string {
  const { sure = 'never-shown', exchanges = [] } = learnt ?? {}
  const shown = exchanges.length > 0 ? ` (${exchanges.map((n) => `#${n}`).join(', ')} in its trace)` : ''
  return `, ${sure === 'never-shown' ? 'never shown' : sure} by the original's answers${shown}`
}

export interface TableRow {
  readonly key: string
  readonly cells: AnyRecord
  readonly change: 'added' | 'changed' | 'removed' | null
  /** The former values of changed cells. */
  readonly before: AnyRecord
}

export type Tables = Readonly<Record<ShownCollection, readonly TableRow[]>>

/** Rows by collection; removed rows are at the end. */
function tablesOf(tracker: Tracker): Tables {
  const state = tracker.snapshot()
  const diff = tracker.diff(undefined, state)
  const tables = shownCollections.map((collection) => {
    const { added = [], changed = [], removed = [] } = diff[collection] ?? {}
    const { secret = '' } = rowOf(collection)
    const keyOf = identityIn(collection)
    const shown = (cells: AnyRecord): AnyRecord => (secret in cells ? { ...cells, [secret]: MASK } : cells)
    const changes = new Map<string, Partial<TableRow>>()
    for (const cells of added) changes.set(keyOf(cells), { change: 'added' })
    for (const cells of removed) changes.set(keyOf(cells), { change: 'removed' })
    for (const { before, after, fields } of changed) {
      const former = Object.entries<unknown>(before).filter(([field]) => fields.includes(field))
      changes.set(keyOf(after), { change: 'changed', before: shown(Object.fromEntries(former)) })
    }
    const rows = [...state[collection], ...removed].map((cells): TableRow => {
      const key = keyOf(cells)
      return { key, cells: shown(cells), change: null, before: {}, ...changes.get(key) }
    })
    return [collection, rows]
  })
  return Object.fromEntries(tables) as Tables
}

const edit = z.strictObject({
  collection: z.enum(shownCollections),
  /** The key of the row; null adds a row, whose absent cells get defaults. */
  key: z.string().nullable(),
  /** Null removes the row. Absent cells of a present row stay as they are. */
  cells: z.record(z.string(), z.unknown()).nullable(),
})

/** Adds, changes or removes a row. If the state would become invalid, throws one line and changes nothing. */
async function editRow(tracker: Tracker, value: unknown): Promise<void> {
  const { collection, key, cells } = checked(edit, value, 'row')
  const { secret = '' } = rowOf(collection)
  const keyOf = identityIn(collection)
  const copy = tracker.fork()
  const table = copy.db[collection] as unknown as AnyTable
  const row = table.rows.find((one) => keyOf(one) === key)
  if (key !== null && !row) throw new RangeError('The row is gone')
  // A masked secret stays as it was.
  const kept = cells?.[secret] === MASK ? { [secret]: row?.[secret] } : {}
  if (!row) table.insert(cells as never)
  else if (cells) table.change(row, { ...cells, ...kept })
  else table.remove(row)
  await tracker.restore(copy.snapshot())
}
