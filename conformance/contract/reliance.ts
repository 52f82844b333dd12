/** What a finding takes from the profile: a wrong field looks like a deviation of the tracker. */
import type { OperationId } from './operations.js'

interface Judged {
  readonly operation: OperationId
  readonly caller?: string
  readonly body?: string | null
}

const fields: readonly (readonly [field: string, isRelied: (judged: Judged) => boolean])[] = [
  ['tokens.restricted: its user has no administrative permission', ({ caller }) => caller === 'restricted'],
  ['passwordAccount and password', ({ operation }) => operation === 'changeOwnPassword'],
  ['customField.nameLimit', ({ body }) => /"custom_field":\{"name":"[^"]{30}/.test(body ?? '')],
]

/** The end of a sentence that names the field; empty where there is none. */
export function relianceOf(judged: Judged): string {
  const [field] = fields.find(([, isRelied]) => isRelied(judged)) ?? []
  return field === undefined ? '' : `; this relies on the profile (${field})`
}
