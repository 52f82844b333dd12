/** What a run makes and changes on a target, on disk before the request leaves, so that any run can be cleaned up. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { operationIds } from '../contract/index.js'
import { UsageError } from '../contract/trouble.js'
import { parseJson } from './body.js'
import { owners } from './call.js'
import { readText } from './files.js'

const kinds = [
  // Things that the run creates.
  ...(['user', 'customField'] as const),
  // Things that the profile marks as disposable.
  ...(['plugin', 'recipient', 'givenField'] as const),
  // Parts of an account, and the settings of the extension.
  ...(['columns', 'setting', 'password', 'member', 'extensionSettings'] as const),
  // The user that a token acts as.
  'session',
] as const

const effect = z.object({
  kind: z.enum(kinds),
  /** Username, name of a field or plugin, option, id as text, or the reference of columns as JSON. */
  name: z.string(),
  /** Proven to be its own by a read at this address; null before. */
  id: z.int().nullable().default(null),
  /** The owner of the columns, the setting or the record. */
  as: z.enum(owners).optional(),
  /** The username of the token's owner, where a page shows it. */
  owner: z.string().nullable().default(null),
  /** Other names that it may have after a renaming that was refused or lost its answer. */
  also: z.array(z.string()).default([]),
  /** Made-up words that only this thing contains. */
  words: z.array(z.string()).default([]),
  /** Ids that answers gave for it; none is proven. */
  told: z.array(z.int()).default([]),
  /** `asked`: the answer is not there, or was lost. `gone`: its deletion was answered as done, and nobody has looked. */
  state: z.enum(['asked', 'refused', 'done', 'gone']).default('asked'),
  /** Of a user: the last change disabled it, and was answered 200. */
  isDisabled: z.boolean().default(false),
  /** Those of its names at which a read found nothing before the run used them. */
  fresh: z.array(z.string()).default([]),
  /** The value before; absent where no read shows it. For a field: the ids in the list. */
  value: z.unknown().optional(),
  /** The member of an answer that shows it; absent: the documented one. */
  at: z.string().optional(),
})

export type Effect = z.output<typeof effect>
export type Intent = z.input<typeof effect>

/** An effect that is not undone or reported yet. `tag` belongs to its run, since runs may share a file. */
export type Entry = Effect & { readonly entry: number; readonly tag: string }

/** A page as it was before a run. The same request reads it again. It holds no secrets. */
const page = z.object({
  title: z.string(),
  /** In milliseconds since 1970. */
  at: z.number(),
  call: z.object({
    operation: z.enum(operationIds),
    as: z.enum(owners).exactOptional(),
    path: z.object({ user_id: z.string() }).exactOptional(),
    /** A request without columns shows them. */
    body: z.object({ project: z.unknown().exactOptional(), type: z.unknown() }).exactOptional(),
  }),
  /** Each fact, with how often it was shown. */
  facts: z.array(z.tuple([z.string(), z.int()])),
})

export type Page = z.output<typeof page>

export type Ledger = ReturnType<typeof createLedger>

type Key = Pick<Entry, 'entry' | 'tag'>
const keyOf = ({ entry, tag }: Key) => `${tag} ${entry}`

/** Of a survey, `entry` is 0; of anything else, further members are those of the effect. */
const line = z.looseObject({
  event: z.enum(['survey', 'intend', 'set', 'close']),
  entry: z.int(),
  tag: z.string(),
  baseUrl: z.string(),
  pages: z.array(page).default([]),
})

type Line = z.output<typeof line>
type Run = Readonly<Record<'tag' | 'baseUrl', string>>

/**
 * One JSON line for each event; without a file the ledger lives in memory alone. `events`: the readable lines of earlier
 * runs. `torn`: the number of the others.
 */
export function createLedger(file: string | null, run: Run, events: readonly Line[] = [], torn = 0) {
  const { tag, baseUrl } = run
  const known = new Map<string, Entry>()
  const open = new Map<string, Entry>()
  const surveys = new Map<string, readonly Page[]>()

  function take(one: Line): void {
    const { event, entry, tag: of, pages } = one
    const key = keyOf(one)
    const { data } = effect.safeParse({ ...known.get(key), ...one })
    if (event === 'survey') surveys.set(of, pages)
    else if (event === 'close') open.delete(key)
    else if (data) {
      // Always the same object, since the creator of the thing keeps a reference to it.
      const thing = Object.assign(known.get(key) ?? { entry, tag: of }, data)
      known.set(key, thing)
      if (event === 'intend') open.set(key, thing)
    }
  }

  function write(event: Line['event'], { entry, tag: of }: Key, rest: object = {}): void {
    const about = { ...rest, event, entry, tag: of, baseUrl }
    // Starts a new line, even after an incomplete one of a killed run.
    if (file !== null) appendFileSync(file, `\n${JSON.stringify(about)}\n`, { mode: 0o600 })
    take({ pages: [], ...about })
  }

  for (const event of events) take(event)
  for (const key of known.keys()) if (!open.has(key)) known.delete(key)
  let number = Math.max(0, ...events.map((event) => (event.tag === tag ? event.entry : 0)))
  if (file !== null) mkdirSync(dirname(file), { recursive: true })

  return {
    /** Part of the name of each thing that the run creates. */
    tag,
    /** Includes those of earlier runs with the same ledger. */
    tags: [...new Set([...events.map((event) => event.tag), tag])].filter((one) => one !== ''),
    /** Lines of the file that could not be read: a killed run may have left half of one. */
    torn,
    /** Written before the request that creates or changes the thing. */
    intend(intent: Intent): Entry {
      number += 1
      const key = { entry: number, tag }
      write('intend', key, intent)
      return known.get(keyOf(key)) as Entry
    },
    /** Opens the entry again. */
    reopen(entry: Entry): void {
      if (!open.has(keyOf(entry))) write('intend', entry, entry)
    },
    /** New knowledge about the thing. */
    set: (entry: Entry, change: Partial<Intent>): void => write('set', entry, change),
    /** Undone, or reported as a leftover. */
    close(entry: Entry): void {
      if (open.has(keyOf(entry))) write('close', entry)
    },
    /** Includes closed entries of this run: a disabled user still exists. */
    get known(): readonly Entry[] {
      return [...known.values()]
    },
    get open(): readonly Entry[] {
      return [...open.values()]
    },
    /** The open entry of this kind, name and account. */
    find: ({ kind, name, as }: Pick<Intent, 'kind' | 'name' | 'as'>): Entry | undefined =>
      [...open.values()].find((one) => one.kind === kind && one.name === name && one.as === as),
    /** What reads showed before the first run whose differences are not reported yet; empty where there is none. */
    get survey(): readonly Page[] {
      // The first of two runs: the second one may have found changes of the first.
      const latest = [...surveys.values()].toReversed().flat()
      return [...new Map(latest.map((one) => [one.title, one])).values()]
    },
    keep: (pages: readonly Page[]): void => write('survey', { entry: 0, tag }, { pages }),
    /** The differences were reported. */
    compared(): void {
      for (const of of surveys.keys()) write('survey', { entry: 0, tag: of })
    },
  }
}

/** The ledger as earlier runs left it in a file. Throws a `UsageError` where it is not one of this base URL. */
export function replayLedger(file: string, baseUrl: string): Ledger {
  const lines = readText(`${file}`, file)
    .split('\n')
    .filter((one) => one.trim() !== '')
  const events = lines.flatMap((one) => line.safeParse(parseJson(one)).data ?? [])
  if (events.length === 0 && lines.length > 0)
    throw new UsageError(`${file} is no ledger; give the ledger.jsonl of the run`)
  const other = events.find((event) => event.baseUrl !== baseUrl)?.baseUrl
  if (other !== undefined)
    throw new UsageError(`${file} is the ledger of a run on ${other}, not on ${baseUrl}`)
  const tag = events.at(-1)?.tag ?? ''
  return createLedger(file, { tag, baseUrl }, events, lines.length - events.length)
}
