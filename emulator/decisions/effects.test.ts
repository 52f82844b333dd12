/**
 * Each entry of the ledger by its effect: its probe must see something else under each of the entry's values.
 * What it sees under all of them must be an answer that the interface allows.
 */
import { describe, expect, test } from 'vitest'
import type { Shown, Step } from '../../conformance/contract/decisions/index.js'
import type { Example } from '../../conformance/contract/example.js'
import { successes } from '../../conformance/contract/examples.js'
import { documentedStatuses, errorBody, operationIds } from '../../conformance/contract/index.js'
import { type Called, clientOf } from '../../fixtures/client.js'
import { createTracker, type Tracker } from '../index.js'
import { contains } from '../observe/subset.js'
import { valueAt } from '../request/json.js'
import { type DecisionId, decisionIds, entry } from './index.js'
import { learned } from './learned.js'

/** What is only ever learnt has no alternatives: the tests of learnt answers tell what it does. */
type Named = Exclude<DecisionId, keyof typeof learned>
const named = decisionIds.filter((id): id is Named => !Object.hasOwn(learned, id))

/** A clock that stands still, so that two trackers can be compared. */
const now = () => new Date('2025-06-01T12:00:00Z')

const inside = (json: unknown, way: string) => valueAt(json, way.split('.'))

function look({ status, json, headers }: Called, shown: Shown): unknown {
  const [kind, name = ''] = shown.split(' ')
  if (kind === 'answer') return status === 200 ? [200, json] : [status, json.code]
  if (kind === 'status') return status
  if (kind === 'members') return Object.keys(Object(name ? inside(json, name) : json))
  if (kind === 'member') return inside(json, name)
  return kind === 'has' ? headers.has(name) : headers.get(name)
}

async function seenBy(steps: readonly Step[], tracker: Tracker): Promise<unknown[]> {
  const call = clientOf(tracker)
  const tokens: Record<string, string> = { ...tracker.tokens }
  const seen: unknown[] = []
  for (const step of steps) {
    if ('change' in step) {
      const rows: readonly object[] = tracker.db[step.change].rows
      const found = rows.filter((row) => contains(row, step.where))
      expect(found).toHaveLength(1)
      for (const row of found) await tracker.db[step.change].change(row as never, step.to)
    } else if ('list' in step)
      seen.push(tracker.db[step.list].rows.map(({ kind, changes }) => [kind, changes]))
    else if ('count' in step) seen.push(tracker.db[step.count].rows.length)
    else if ('user' in step) seen.push(contains(tracker.db.users.find('username', step.user), step.has))
    else {
      const headers = Object.fromEntries(
        Object.entries(step.headers ?? {}).map(([name, value]) => [
          name,
          value?.replace(/\{(\w+)\}/, (_, whose: string) => tokens[whose] ?? '') ?? null,
        ]),
      )
      const called =
        'target' in step
          ? await stray(tracker, step.method, step.target, headers)
          : await call(step.operation, { ...step, headers })
      if (called.status >= 400 && called.json !== null)
        expect(errorBody.safeParse(called.json).error, JSON.stringify(called.json)).toBeUndefined()
      tokens.impersonated = called.json?.user?.token
      seen.push((step.shows ?? ['answer']).map((shown) => look(called, shown)))
    }
  }
  return seen
}

async function stray(tracker: Tracker, method: string, target: string, given: Record<string, string | null>) {
  const authorization = `Bearer ${tracker.tokens.administrator}`
  const init = { method, headers: { authorization, ...given } as Record<string, string> }
  const { status, headers } = await tracker.fetch(new Request(tracker.baseUrl + target, init))
  return { status, headers, json: null as unknown as Called['json'] }
}

/** The answers to the examples of these operations, each on a fresh tracker. */
async function answersTo(ids: typeof operationIds, decisions: object): Promise<Record<string, unknown>> {
  const start = await createTracker({ decisions, now })
  const answers = ids.map(async (id) => {
    const { answer: _, unselected, query, ...request }: Example = successes[id]
    const selection = unselected || query === undefined ? '' : `?${query}`
    const as = id === 'changeOwnPassword' ? 'password' : 'administrator'
    const { status, json } = await clientOf(start.fork())(id, { ...request, query: selection, as })
    return [id, [status, json]] as const
  })
  return Object.fromEntries(await Promise.all(answers))
}

describe.each(named)('%s', (id) => {
  const { default: fallback, alternatives, probe } = entry(id)
  const { given, steps } = probe ?? { given: {}, steps: [] }
  const values: readonly unknown[] = [fallback, ...alternatives]

  test('shows in what a client sees', async () => {
    const effects = new Map<string, unknown>()
    for (const value of values) {
      const tracker = await createTracker({ decisions: { ...given, [id]: value }, now })
      const effect = JSON.stringify(await seenBy(steps, tracker))
      const alike = `${JSON.stringify(value)} looks like another value: ${effect}`
      expect(effects.get(effect), alike).toBeUndefined()
      effects.set(effect, value)
      for (const { response, path } of tracker.journal) {
        const legal = id === 'wrong-method' ? [...documentedStatuses, 405] : documentedStatuses
        expect(legal, `${JSON.stringify(value)}: ${path}`).toContain(response.status)
      }
    }
  })

  test('names each operation whose answer it changes', async () => {
    const others = operationIds.filter((one) => !entry(id).operations.includes(one))
    const usual = await answersTo(others, { ...given, [id]: fallback })
    for (const value of alternatives)
      expect(await answersTo(others, { ...given, [id]: value }), JSON.stringify(value)).toEqual(usual)
  })
})
