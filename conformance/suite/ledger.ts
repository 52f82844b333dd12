/** What the run creates, on disk before the request leaves, so that an interrupted run can still be cleaned up. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Resource {
  readonly kind: 'user' | 'customField'
  /** Username or field name. */
  readonly name: string
  /** Known only where an answer revealed it. */
  readonly id: number | null
  /** The target refused to make it, so most likely it is not there. */
  readonly refused?: true
}

export interface Ledger {
  /** Written before the request that creates it. */
  intend(resource: Resource): void
  /** Its name or id became known or changed. */
  update(before: string, resource: Resource): void
  removed(kind: Resource['kind'], name: string): void
  has(resource: Resource): boolean
  readonly open: readonly Resource[]
}

/** One JSON line for each event; without a file the ledger lives in memory alone. */
export function createLedger(file: string | null, run: { tag: string; baseUrl: string }): Ledger {
  const open = new Map<string, Resource>()
  const key = (kind: string, name: string) => `${kind} ${name}`

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
