/** What the run makes and changes, on disk before the request leaves, so that an interrupted run can be cleaned up. */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { troubleOf, UsageError } from '../contract/trouble.js'

/** Things that the run makes, and shared ones that it changes for a while. */
const kinds = ['user', 'customField', 'plugin', 'columns', 'setting', 'password'] as const

export interface Resource {
  readonly kind: (typeof kinds)[number]
  /** Username, field or plugin name, option, or the reference of the columns as JSON. */
  readonly name: string
  /** Known only where an answer revealed it. */
  readonly id: number | null
  /** The target refused to make it, so most likely it is not there. */
  readonly refused?: true
  /** A password that the target has answered to be changed. */
  readonly done?: true
  /** What columns and settings were before. */
  readonly value?: unknown
}

export interface Ledger {
  /** Written before the request that makes or changes it. */
  intend(resource: Resource): void
  /** Its name or id became known or changed. */
  update(before: string, resource: Resource): void
  removed(kind: Resource['kind'], name: string): void
  has(resource: Resource): boolean
  readonly open: readonly Resource[]
}

/** One JSON line for each event; without a file the ledger lives in memory alone. */
export function createLedger(
  file: string | null,
  run: { tag: string; baseUrl: string },
  present: readonly Resource[] = [],
): Ledger {
  const key = (kind: string, name: string) => `${kind} ${name}`
  const open = new Map(present.map((resource) => [key(resource.kind, resource.name), resource]))

  if (file !== null) mkdirSync(dirname(file), { recursive: true })
  function write(event: string, resource: object): void {
    if (file !== null) appendFileSync(file, `${JSON.stringify({ event, ...run, ...resource })}\n`)
  }

  return {
    intend(resource) {
      write('intend', resource)
      open.set(key(resource.kind, resource.name), resource)
    },
    update(before, resource) {
      write('update', { before, ...resource })
      open.delete(key(resource.kind, before))
      open.set(key(resource.kind, resource.name), resource)
    },
    removed(kind, name) {
      write('removed', { kind, name })
      open.delete(key(kind, name))
    },
    has: ({ kind, name }) => open.has(key(kind, name)),
    get open() {
      return [...open.values()]
    },
  }
}

const line = z.object({
  event: z.enum(['intend', 'update', 'removed']),
  tag: z.string(),
  baseUrl: z.string(),
  before: z.string().optional(),
  kind: z.enum(kinds),
  name: z.string(),
  id: z.int().nullable().default(null),
  refused: z.literal(true).optional(),
  done: z.literal(true).optional(),
  value: z.unknown().optional(),
})

/** The ledger as earlier runs left it in a file. Throws a `UsageError` where it is not one of this base URL. */
export function replayLedger(file: string, baseUrl: string): Ledger {
  const before = createLedger(null, { tag: '', baseUrl })
  let tag = ''
  for (const entry of entriesOf(file)) {
    if (entry.baseUrl !== baseUrl)
      throw new UsageError(`sweep: ${file} is the ledger of a run on ${entry.baseUrl}, not on ${baseUrl}`)
    tag = entry.tag
    const { event, kind, name, id, refused, done, value } = entry
    const resource = { kind, name, id, ...(refused ? { refused } : {}), ...(done ? { done } : {}), value }
    if (event === 'intend') before.intend(resource)
    if (event === 'update') before.update(entry.before ?? name, resource)
    if (event === 'removed') before.removed(kind, name)
  }
  return createLedger(file, { tag, baseUrl }, before.open)
}

function entriesOf(file: string): z.infer<typeof line>[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`sweep: ${file} cannot be read: ${troubleOf(error)}`)
  }
  const lines = text.split('\n')
  // A run that was killed may have left half of its last line.
  const whole = text.endsWith('\n') ? lines : lines.slice(0, -1)
  return whole
    .filter((one) => one !== '')
    .map((one, index) => {
      try {
        return line.parse(JSON.parse(one))
      } catch {
        throw new UsageError(
          `sweep: ${file}: line ${index + 1} is not one of a ledger; give the ledger.jsonl of the run`,
        )
      }
    })
}
