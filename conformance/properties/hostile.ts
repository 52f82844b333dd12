import fc from 'fast-check'
import type { Call } from '../client/call.js'
import { documentedStatuses, type OperationId, operationIds, operations, SUCCESS } from '../contract/index.js'
import { letters, noIds, numbers, objects } from '../requirements/differences/strange.js'
import { errorBodyFault } from '../suite/error-body.js'
import { existingUser } from '../suite/existing.js'
import type { Check, Requirement } from '../suite/types.js'
import { holdsForAll, Violation } from './property.js'

const id = 'property.hostile-input'

/** Legal in JSON and in a path, and now and then the end of a server that did not think of it. */
const hostileText = fc.oneof(
  fc.constantFrom('', ' ', '007', '5.5', 'me', ...numbers),
  fc.constantFrom(...objects),
  fc.constantFrom('\u202eabc', '{}', '[]', '%', ...letters),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer({ min: 100, max: 5000 }).map((length) => 'a'.repeat(length)),
)

/** In a path, without what a front end may take for itself before the tracker sees it. */
const segment = hostileText
  .map((text) => text.replace(/[/\\\p{C}]/gu, '').slice(0, 200))
  .filter((text) => !['', '.', '..'].includes(text.trim()))

const deep = fc
  .integer({ min: 20, max: 400 })
  // A list outside, since an object of unknown members is a legal body of a creation.
  .map((depth) => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`)

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3 }),
)

const hostileMembers = (names: readonly string[]) =>
  fc.dictionary(
    fc.oneof(
      { arbitrary: fc.constantFrom(...names, '__proto__'), weight: 4 },
      { arbitrary: hostileText, weight: 1 },
    ),
    hostileValue,
    { minKeys: 2, maxKeys: 5 },
  )

/** No JSON, or JSON of no use. */
const uselessBody = fc.oneof(
  deep,
  fc.constantFrom(' ', 'null', '7', '""', '{"a":1,"a":2', '{"__proto__":', '"\\ud800"', '[[]]', 'undefined'),
  fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => `"${text}`),
)

/** What may be sent at `read`: to things that are not there, bodies that are none, reads of strange names. */
function readCases(t: Check): fc.WeightedArbitrary<Call>[] {
  const nobody = segment.map((name) => `${t.run.tag}${name}`)
  const noNumber = fc.constantFrom(...noIds)
  // What takes neither an address nor a body is asked for plainly.
  const asking = operations.filter(({ parameters, body }) => parameters.length > 0 || body !== undefined)
  return asking.map(({ id: operation, method, parameters, body }) => {
    const [parameter] = parameters
    const value =
      parameter === undefined
        ? fc.constant({})
        : (parameter.type === 'integer' ? noNumber : method === 'GET' ? segment : nobody).map((name) => ({
            [parameter.name]: name,
          }))
    const as =
      operation === 'changeOwnPassword' && t.profile.tokens.password ? { as: 'password' as const } : {}
    const rawBody = body ? uselessBody : fc.constant(undefined)
    return often(
      body ? 2 : 1,
      fc.record({ path: value, rawBody }).map(
        ({ path, rawBody }): Call => ({
          operation,
          path,
          ...as,
          ...(rawBody === undefined ? {} : { rawBody }),
        }),
      ),
    )
  })
}

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({
  weight,
  arbitrary,
})

const userMembers = [
  'realname',
  'language',
  'timezone',
  'avatar',
  'access_level',
  'client_preferred',
  'notify_user',
]
const fieldMembers = ['type', 'possible_values', 'default_value', 'display_report', 'display_update']

/** Members that would make the thing unknown to the run, or lock it out, stay as they are. */
const harmless = (members: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([name]) => names.includes(name) || !/^(username|email|password.*|enabled|protected|name)$/.test(name),
    ),
  )

/** Strange values in otherwise ordinary requests that make or change a thing of the run's own. */
async function writeCases(t: Check): Promise<fc.WeightedArbitrary<Call>[]> {
  if (!t.allows('write')) return []
  const { own } = t.run
  const write = (operation: OperationId, path: Call['path'], body: unknown): Call => ({
    operation,
    ...(path ? { path } : {}),
    body,
  })
  const { username, proven } = await existingUser(t)
  // What is made has to be removed, so changes of what there is are asked for more often.
  const userCases = [
    // Named anew each time, so that a shrunk case is not the second of its name.
    often(
      1,
      hostileMembers(userMembers).map((members) =>
        write('createUser', undefined, { ...own.userBody(), ...harmless(members, userMembers) }),
      ),
    ),
    often(
      6,
      hostileMembers(userMembers).map((members) =>
        write('updateUser', { user_id: username }, harmless(members, userMembers)),
      ),
    ),
    often(
      2,
      fc.tuple(fc.array(hostileText, { maxLength: 3 }), hostileValue).map(([ids, access_level]) => {
        const project_ids = ids.map((id) => `${t.run.tag}${id}`)
        return write('addUserToProjects', { user_id: username }, { project_ids, access_level })
      }),
    ),
  ]
  if (!(await own.canFollowFields())) return proven ? userCases : []
  const { id } = await own.sharedField()
  const fieldCases = [
    often(
      1,
      hostileMembers(fieldMembers).map((members) => {
        const custom_field = { ...harmless(members, fieldMembers), name: own.name() }
        return write('createCustomField', undefined, { custom_field })
      }),
    ),
    often(
      4,
      hostileMembers(fieldMembers).map((members) =>
        write('updateCustomField', { field_id: id }, { custom_field: harmless(members, fieldMembers) }),
      ),
    ),
  ]
  return proven ? [...userCases, ...fieldCases] : fieldCases
}

export const hostileProperty: Requirement = {
  rank: 400,
  id,
  level: 'must',
  section: '7',
  statement:
    'Whatever strange thing is asked, the status is one that the document lists, and an error has the body that it shows.',
  operations: operationIds,
  safety: 'read',
  async check(t) {
    const cases = fc.oneof(...readCases(t), ...(await writeCases(t)))
    await holdsForAll(t, { id, numRuns: t.run.options.runs }, cases, async (call) => {
      const answer = await t.send(call)
      // So that its id is known to the clean-up, where only the answer tells it.
      const { custom_field } = (call.body ?? {}) as { custom_field?: { name?: string } }
      if (call.operation === 'createCustomField' && answer.status === SUCCESS && custom_field?.name)
        await t.run.own.adoptField(custom_field.name, answer)
      if (!documentedStatuses.includes(answer.status))
        throw new Violation(
          `strange input: expected one of ${documentedStatuses.join(', ')}, saw ${answer.status}`,
          answer,
        )
      const fault = answer.status === SUCCESS ? null : errorBodyFault(answer)
      if (fault !== null)
        throw new Violation(`the error body for strange input is not as section 7 has it: ${fault}`, answer)
    })
  },
}
