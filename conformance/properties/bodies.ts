import fc from 'fast-check'
import { operation as contractOf, documentedStatuses, type OperationId } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { callOf } from '../suite/engine.js'
import { errorBodyFault } from '../suite/error-body.js'
import { requirement } from '../suite/requirement.js'
import { type Subject, subjectOf } from '../suite/subjects.js'
import { holdsForAll, Violation } from './property.js'

const id = 'property.invalid-bodies'
const operations: readonly OperationId[] = [
  'changeOwnPassword',
  'updateUserSettings',
  'addUserToProjects',
  'createCustomField',
  'updateCustomField',
  'updateSettings',
]

type Body = { kind: 'json'; value: unknown } | { kind: 'text'; value: string }
type JsonObject = Record<string, unknown>

/** Of a type that no reading turns into a text, a list or a definition: an object of unknown members. */
const junkObject = fc.dictionary(
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }).map((name) => `kit_${name}`),
  fc.jsonValue({ maxDepth: 2 }),
  {
    minKeys: 1,
    maxKeys: 4,
  },
)

/** The required members of a body; each mutation breaks one of them and leaves the rest as it was. */
const required: Partial<Record<OperationId, readonly string[]>> = {
  changeOwnPassword: ['password_current', 'password'],
  updateUserSettings: ['configs'],
  addUserToProjects: ['project_ids', 'access_level'],
  createCustomField: ['custom_field'],
}

/** Takes a valid body and breaks it in one named way. */
function mutations(operation: OperationId, valid: JsonObject): fc.Arbitrary<Body> {
  const json = (value: unknown): Body => ({ kind: 'json', value })
  const text = JSON.stringify(valid)
  const truncated = fc
    .integer({ min: 1, max: text.length - 1 })
    .map((end): Body => ({ kind: 'text', value: text.slice(0, end) }))
  const members = required[operation] ?? []
  if (members.length === 0) return truncated
  const member = fc.constantFrom(...members)
  const extra = fc.option(junkObject, { nil: {} })
  const dropped = fc.tuple(member, extra).map(([name, more]) => {
    const { [name]: _, ...rest } = valid
    return json({ ...rest, ...more })
  })
  const nulled = member.map((name) => json({ ...valid, [name]: null }))
  // An object where a list is due may read as a list of its members; `configs` alone is judged for that elsewhere.
  const texts = members.filter((name) => typeof valid[name] === 'string')
  const mistyped =
    texts.length > 0
      ? [
          fc
            .tuple(fc.constantFrom(...texts), junkObject)
            .map(([name, junk]) => json({ ...valid, [name]: junk })),
        ]
      : []
  const settings =
    operation === 'updateUserSettings'
      ? [junkObject.map((junk) => json({ configs: [junk] })), fc.constant(json({ configs: [] }))]
      : []
  return fc.oneof(truncated, dropped, nulled, ...mistyped, ...settings)
}

const hasPasswordToken = ({ profile, run }: Check) =>
  profile.tokens.password !== undefined && (!profile.passwordAccount || run.passwordAccount !== null)

/** Still invalid after generation and after shrinking, by the contract itself. */
function invalid(operation: OperationId, body: Body): boolean {
  if (body.kind === 'json') return !contractOf(operation).body?.safeParse(body.value).success
  try {
    JSON.parse(body.value)
    return false
  } catch {
    return true
  }
}

export const bodiesProperty = requirement({
  id,
  level: 'must',
  section: '7',
  statement:
    'Whatever is wrong with a body (cut off, a required part missing, null or of another type), the answer is 400 with an error body.',
  operations,
  safety: 'read',
  async check(t) {
    const subjects = new Map<OperationId, Subject>()
    for (const operation of operations) {
      if (operation === 'changeOwnPassword' && !hasPasswordToken(t)) continue
      const subject = await subjectOf(t, operation)
      // What the level lets only be cut off is asked elsewhere.
      if (subject.call.rawBody === undefined) subjects.set(operation, subject)
    }
    if (subjects.size === 0) t.skip('needs --safety write: at read no body can be broken in several ways')
    const cases = fc.oneof(
      ...[...subjects].map(([operation, { call }]) =>
        mutations(operation, call.body as JsonObject)
          .filter((body) => invalid(operation, body))
          .map((body) => ({ operation, body })),
      ),
    )
    // Each member is broken in the most telling ways elsewhere.
    const numRuns = Math.ceil(t.run.options.runs / 2)
    await holdsForAll(t, { id, numRuns }, cases, async ({ operation, body }) => {
      const subject = subjects.get(operation) as Subject
      const answer = await t.send(
        callOf(subject, body.kind === 'json' ? { body: body.value } : { rawBody: body.value }),
      )
      if (!documentedStatuses.includes(answer.status))
        throw new Violation(`an invalid body: expected 400, saw ${answer.status}`, answer)
      const unknownResource = subject.call.path !== undefined && !subject.proven && answer.status === 404
      if (answer.status !== 400 && !unknownResource)
        throw new Violation(`an invalid body: expected 400, saw ${answer.status}`, answer)
      const fault = errorBodyFault(answer)
      if (fault !== null)
        throw new Violation(`the error body for an invalid body is not as section 7 has it: ${fault}`, answer)
    })
  },
})
