import fc from 'fast-check'
import { type OperationId, operationIds, type Profile } from '../contract/index.js'
import { ofNobody } from '../requirements/differences/credentials.js'
import { callOf } from '../suite/engine.js'
import { type Subject, subjectOf } from '../suite/subjects.js'
import type { Requirement } from '../suite/types.js'
import { holdsForAll, Violation } from './property.js'

const id = 'property.authentication-garbage'

const printable = (maxLength: number) =>
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCodePoint(code)),
    minLength: 1,
    maxLength,
  })

/** Headers that hold no token of the profile. */
function garbage(profile: Profile): fc.Arbitrary<string | null> {
  const { administrator, restricted, password } = profile.tokens
  const known = [administrator, restricted, password].filter((token) => token !== undefined)
  return fc
    .oneof(
      fc.constantFrom(null, '', 'Bearer', 'Bearer null', 'Bearer undefined', 'Bearer ""', 'Basic', 'null'),
      printable(64).map((token) => `Bearer ${token}`),
      printable(1000).map((token) => `Bearer ${token}`),
      fc
        .tuple(fc.constantFrom('Basic', 'Digest', 'Token', 'Negotiate', 'ApiKey'), printable(40))
        .map((parts) => parts.join(' ')),
      printable(40),
      fc.base64String({ minLength: 4, maxLength: 40 }).map((text) => `Basic ${text}`),
    )
    .filter((header) => !known.some((token) => header?.includes(token)))
}

export const authenticationProperty: Requirement = {
  rank: 350,
  id,
  level: 'must',
  section: '5',
  statement: 'Whatever stands in the Authorization header, if it is no valid token the answer is 401.',
  operations: operationIds,
  safety: 'read',
  async check(t) {
    const subjects = new Map<OperationId, Subject>()
    for (const operation of operationIds) subjects.set(operation, await subjectOf(t, operation))

    const cases = fc.record({
      operation: fc.constantFrom(...operationIds),
      authorization: garbage(t.profile),
    })
    // Each operation is asked with the most telling ones elsewhere.
    const numRuns = Math.ceil(t.run.options.runs / 4)
    await holdsForAll(t, { id, numRuns }, cases, async ({ operation, authorization }) => {
      const subject = subjects.get(operation) as Subject
      const answer = await t.send(callOf(subject, { ...ofNobody(subject), authorization }))
      const lookedUpFirst = !subject.proven && (answer.status === 404 || answer.status === 400)
      if (answer.status !== 401 && !lookedUpFirst)
        throw new Violation(`a made-up Authorization header: expected 401, saw ${answer.status}`, answer)
    })
  },
}
