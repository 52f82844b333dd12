import fc from 'fast-check'
import { parseJson } from '../client/body.js'
import { isObject } from '../client/look.js'
import type { OperationId } from '../contract/index.js'
import { invalidBodies } from '../requirements/differences/bodies.js'
import { callOf, type Variant } from '../suite/engine.js'
import { errorBodyFault } from '../suite/error-body.js'
import { type Subject, subjectOf } from '../suite/subjects.js'
import type { Check, Requirement } from '../suite/types.js'
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

/** Of a type that no reading turns into a text, a list or a definition: an object of unknown members. */
const junkObject = fc.dictionary(
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }).map((name) => `kit_${name}`),
  fc.jsonValue({ maxDepth: 2 }),
  {
    minKeys: 1,
    maxKeys: 4,
  },
)

/** Takes a valid body and breaks it in one named way, and now and then puts unknown members beside what is left. */
function mutations(t: Check, subject: Subject): fc.Arbitrary<Variant> {
  const text = JSON.stringify(subject.call.body)
  const truncated = fc.integer({ min: 1, max: text.length - 1 }).map((end): Variant => {
    const rawBody = text.slice(0, end)
    return { what: 'a body that is cut off', call: { rawBody } }
  })
  const broken = invalidBodies(subject, t).filter(({ call }) => isObject(call.body))
  if (broken.length === 0) return truncated
  const mistaken = fc
    .tuple(fc.constantFrom(...broken), fc.option(junkObject, { nil: {} }))
    .map(([variant, more]) => ({
      ...variant,
      call: { body: { ...(variant.call.body as object), ...more } },
    }))
  return fc.oneof(truncated, mistaken)
}

const hasPasswordToken = ({ profile, run }: Check) =>
  profile.tokens.password !== undefined && (!profile.passwordAccount || run.passwordAccount !== null)

const isNoJson = (text: string) => parseJson(text) === undefined

export const bodiesProperty: Requirement = {
  rank: 360,
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
      ...[...subjects.values()].map((subject) =>
        mutations(t, subject)
          .filter(({ call }) => call.rawBody === undefined || isNoJson(call.rawBody))
          .map((variant) => ({ subject, variant })),
      ),
    )
    // Each member is broken in the most telling ways elsewhere.
    const numRuns = Math.ceil(t.run.options.runs / 4)
    await holdsForAll(t, { id, numRuns }, cases, async ({ subject, variant }) => {
      const answer = await t.send(callOf(subject, variant.call))
      const { allowed = [400] } = variant
      const isUnknown = subject.call.path !== undefined && !subject.proven && answer.status === 404
      if (!allowed.includes(answer.status) && !isUnknown)
        throw new Violation(`an invalid body: expected 400, saw ${answer.status}`, answer)
      const fault = errorBodyFault(answer)
      if (fault !== null)
        throw new Violation(`the error body for an invalid body is not as section 7 has it: ${fault}`, answer)
    })
  },
}
