/** What a finding takes from the profile: a wrong field looks like a deviation of the tracker. */
import type { OperationId } from './operations.js'
import type { Profile } from './profile.js'

type Promised = Partial<Pick<Profile, 'passwordAccount' | 'customField'>>

type Judged = Readonly<{ operation: OperationId; caller?: string; body?: string | null }>
type IsRelied = (judged: Judged, profile: Promised) => unknown

const fields: readonly (readonly [field: string, isRelied: IsRelied])[] = [
  ['tokens.restricted: its user has no administrative permission', ({ caller }) => caller === 'restricted'],
  [
    'passwordAccount and password',
    ({ operation }, { passwordAccount }) => passwordAccount && operation === 'changeOwnPassword',
  ],
  [
    'customField.nameLimit',
    ({ body }, { customField }) =>
      customField?.nameLimit && /"custom_field":\{"name":"[^"]{30}/.test(body ?? ''),
  ],
]

/** The end of a sentence that names the field; empty where there is none. */
export function relianceOf(judged: Judged, profile: Promised): string {
  const [field] = fields.find(([, isRelied]) => isRelied(judged, profile)) ?? []
  return field === undefined ? '' : `; this relies on the profile (${field})`
}
