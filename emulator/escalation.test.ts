/**
 * A search for privilege escalation: sequences of calls by somebody who is no administrator must end with nothing
 * changed but that one's own things.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type OperationId, operation, operations } from '../conformance/contract/index.js'
import { type CallOptions, clientOf } from '../fixtures/client.js'
import { asAdministrator } from '../fixtures/faulty/behaviours.js'
import { behaving } from '../fixtures/faulty/call.js'
import { isLong } from '../fixtures/long.js'
import { createTracker, type State, type Tracker } from './index.js'

const actors = ['viewer', 'reporter', 'developer', 'manager', 'protected', 'password'] as const
type Actor = (typeof actors)[number]
/** What the starting state calls them. */
const usernames: Readonly<Partial<Record<Actor, string>>> = { protected: 'kiosk' }

const LONGEST = 6
const MANAGER = 70

const someone = fc.constantFrom(...'administrator manager reporter nina former kiosk 1 5 me'.split(' '))
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const password = fc.constantFrom('Sunny-Day-2024', 'Other-Day-2025', '')
const level = fc.constantFrom(10, 25, 70, 90, 100)
const ids = fc.subarray(['1', '2', '3'])

const field = fc.record({ custom_field: fc.record({ name: fc.constant('Mine') }), projects: maybe(ids) })

const bodies: Readonly<Partial<Record<OperationId, fc.Arbitrary<unknown>>>> = {
  changeOwnPassword: fc.record({ password, password_current: password }),
  updateUserSettings: fc.record({
    configs: fc.array(
      fc.record({ option: fc.constantFrom('language', 'timezone', 'access_level'), value: someone }),
    ),
  }),
  createUser: fc.record({ username: fc.constantFrom('otto', 'anna'), access_level: maybe(level) }),
  updateUser: fc.record({
    username: maybe(fc.constantFrom('otto', 'administrator')),
    realname: maybe(fc.constantFrom('Somebody Else')),
    email: maybe(fc.constantFrom('else@example.org')),
    access_level: maybe(level),
    enabled: maybe(fc.boolean()),
    protected: maybe(fc.boolean()),
    password: maybe(password),
    password_current: maybe(password),
  }),
  addUserToProjects: fc.record({ project_ids: ids, access_level: fc.constantFrom('10', '55', '70', '90') }),
  createCustomField: field,
  updateCustomField: field,
  manageColumns: fc.record({
    project: fc.constantFrom({ id: 1 }, { id: 2 }),
    columns: maybe(fc.constant(['id'])),
  }),
  updatePlugin: fc.record({ priority: fc.constant(1), protected: fc.boolean() }),
  updateSettings: fc.constant([{ option: 'page_size', value: 20 }]),
}

const paths: Readonly<Record<string, fc.Arbitrary<string>>> = {
  user_id: someone,
  field_id: fc.constantFrom('1', '2'),
  recipient_id: fc.constantFrom('1', '2'),
  plugin_name: fc.constantFrom('Snippets', 'Helpdesk', 'SourceIntegration'),
}

/** As oneself, or by the header as somebody else. */
const headers = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: someone.map((name) => ({ 'x-mantis-username': name })) },
)

const request: fc.Arbitrary<[OperationId, CallOptions]> = fc
  .constantFrom(...operations.map(({ id }) => id))
  .chain((id) =>
    fc.tuple(
      fc.constant(id),
      fc.record({
        path: fc.record(
          Object.fromEntries(namesIn(id).map((name) => [name, paths[name] ?? fc.constant('1')])),
        ),
        body: bodies[id] ?? fc.constant(undefined),
        headers,
      }),
    ),
  )

function namesIn(id: OperationId): string[] {
  return [...operation(id).path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'ext')
}

/** What nobody but an administrator may change: all that is left of the state without the actor's own things. */
function othersThings(state: State, actor: Actor, managed: ReadonlySet<number>): unknown {
  const { id } = ownerOf(state, actor)
  const mine = ({ user_id }: { readonly user_id: number }) => user_id === id
  const { users, tokens, memberships, columnConfigurations, userSettings, notifications, ...shared } = state
  const { notification: _, ...lastIds } = shared.lastIds
  return {
    ...shared,
    lastIds,
    users: users.map((user) =>
      user.id === id
        ? { id, rights: [user.access_level, user.enabled, user.protected] }
        : { ...user, failed_logins: 0 },
    ),
    // When a token was used is written down at each call.
    tokens: tokens.map(({ used_at, ...token }) => token),
    // Who manages a project decides who is in it, up to the own level.
    memberships: memberships.filter((one) => !managed.has(one.project_id) || one.access_level > MANAGER),
    columnConfigurations: columnConfigurations.filter((one) => !mine(one)),
    userSettings: userSettings.filter((one) => !mine(one)),
    notifications: notifications.filter((one) => !mine(one)),
  }
}

/** Projects that the actor manages. */
function managedBy({ users, projects, memberships }: State, actor: Actor): Set<number> {
  const { id } = ownerOf({ users }, actor)
  const rights = users.find((user) => user.id === id)?.access_level ?? 0
  const levelIn = (project: number) =>
    memberships.find((one) => one.user_id === id && one.project_id === project)?.access_level ?? rights
  return new Set(projects.map((project) => project.id).filter((project) => levelIn(project) >= MANAGER))
}

function ownerOf(state: Pick<State, 'users'>, actor: Actor) {
  const found = state.users.find(({ username }) => username === (usernames[actor] ?? actor))
  if (!found) throw new Error(`The starting state has no ${actor}`)
  return found
}

/** A sequence by which the actor got what is not the actor's, in the fewest and simplest calls; null where none was found. */
async function search(
  origin: Tracker,
  actor: Actor,
  runs: number,
  wrap?: (tracker: Tracker) => Tracker['fetch'],
) {
  const before = origin.snapshot()
  // Who manages a project may give that up, too.
  const managed = managedBy(before, actor)
  const allowed = JSON.stringify(othersThings(before, actor, managed))
  const property = fc.asyncProperty(
    fc.array(request, { minLength: 1, maxLength: LONGEST }),
    async (calls) => {
      const tracker = origin.fork()
      const call = clientOf(wrap ? { ...tracker, fetch: wrap(tracker) } : tracker)
      for (const [id, options] of calls) await call(id, { ...options, as: actor })
      // An own account that was renamed is still the same one.
      const after = tracker.snapshot()
      const owner = ownerOf(before, actor)
      const users = after.users.map((user) =>
        user.id === owner.id ? { ...user, username: owner.username } : user,
      )
      return JSON.stringify(othersThings({ ...after, users }, actor, managed)) === allowed
    },
  )
  const { failed, counterexample } = await fc.check(property, { seed: 1, numRuns: runs })
  return failed ? (counterexample?.[0].map(([id]) => id) ?? []) : null
}

describe('nobody gets more than is due', () => {
  test.each(actors)('as %s', async (actor) => {
    expect(await search(await createTracker(), actor, isLong ? 2000 : 60)).toBeNull()
  })

  test.each([1, 2, 3, 4, 5])('as a reporter, with the decisions that the number %i draws', async (vary) => {
    expect(await search(await createTracker({ vary }), 'reporter', isLong ? 1000 : 30)).toBeNull()
  })
})

describe('a planted hole is found', () => {
  const harmless: readonly OperationId[] = ['manageColumns', 'changeOwnPassword', 'updateUserSettings']
  const gated = operations.filter(({ id, method }) => method !== 'GET' && !harmless.includes(id))

  test.each(gated)('where $id is carried out as for an administrator', async ({ id }) => {
    const wrap = (tracker: Tracker) => behaving(tracker, [id], asAdministrator)
    expect(await search(await createTracker(), 'reporter', 3000, wrap)).toContain(id)
  })
})
