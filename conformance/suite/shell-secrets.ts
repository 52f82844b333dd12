/** The secrets of a request as shell variables that the reader sets; what cannot be written so cannot be repeated. */

import { parseJson } from '../client/body.js'
import type { Redact } from '../client/redact.js'
import type { OperationId, Profile } from '../contract/index.js'

export class Cannot extends Error {}

export const variable = (name: string) => `KITVAR_${name}_KITVAR`
/** A placeholder with what stands between it, to be split by. */
export const variables = /KITVAR_(.+?)_KITVAR/

export interface Secrets {
  readonly profile: Profile
  readonly redact: Redact
  /** Of all users that the run has made. */
  readonly password: string
}

export function wanted(name: string): string {
  if (name === 'TRACKER_TOKEN') return 'the token of an administrator'
  const [, role] = /^TRACKER_(\w+)_TOKEN$/.exec(name) ?? []
  if (role !== undefined) return `the token that the profile has as tokens.${role.toLowerCase()}`
  const field = Object.entries(passwordVariables).find(([, one]) => one === name)?.[0]
  return `what the profile has as ${field ?? 'password'}`
}

/** One that the tracker accepts, for those who are made anew. */
export const VALID = 'TRACKER_PASSWORD_VALID'

const passwordVariables = {
  'passwordAccount.current': 'TRACKER_PASSWORD_CURRENT',
  'passwordAccount.next': 'TRACKER_PASSWORD_NEXT',
  'password.valid': VALID,
  'password.invalid': 'TRACKER_PASSWORD_INVALID',
} as const

const variableOf = (role: string) =>
  role === 'administrator' ? 'TRACKER_TOKEN' : `TRACKER_${role.toUpperCase()}_TOKEN`

/** A token of the suite's own, which lets in nobody. */
export const isMadeUp = (value: string, { literals }: Redact) =>
  /[ =]kit\w+/i.test(value) && literals(value) === value

export function headerOf(
  name: string,
  value: string,
  { profile, redact }: Secrets,
  needs: Set<string>,
): string {
  const role = Object.entries(profile.tokens).find(
    ([, token]) => token !== undefined && token !== '' && value.replace(/^\S+\s+/, '').includes(token),
  )
  if (/^authorization$/i.test(name) && role) {
    const [as, token = ''] = role
    const one = variableOf(as)
    needs.add(one)
    const rest = value.replace(token, '')
    // What stands around it is the suite's own, such as a letter too many.
    if (redact.literals(rest) === rest) return value.replace(token, () => variable(one))
  }
  for (const [as, token = ''] of Object.entries(profile.tokens))
    if (token.length > 1 && value === `Bearer ${token.slice(0, -1)}`) {
      const one = variableOf(as)
      needs.add(one)
      return `Bearer ${variable(`${one}%?`)}`
    }
  if (isMadeUp(value, redact)) return value
  const shown = redact.headers({ [name]: value })[name]
  if (shown !== value) throw new Cannot(`its header ${name} holds a secret`)
  return value
}

/** The members that hold passwords: the run's own, those of the profile, or what the suite made up. */
const passwordMembers = /("(?:password|password_current)"\s*:\s*)("(?:[^"\\]|\\.)*")/g

export function bodyOf(body: string, operation: OperationId, known: Secrets, needs: Set<string>): string {
  const { redact } = known
  const takesPasswords = ['createUser', 'updateUser', 'changeOwnPassword'].includes(operation)
  const text = takesPasswords
    ? body.replace(
        passwordMembers,
        (_, name: string, value: string) => name + passwordOf(value, known, needs),
      )
    : body
  const masked = takesPasswords ? text.replace(passwordMembers, '$1"***"') : text
  if (redact.raw(masked) !== masked) throw new Cannot('its body holds a secret')
  return text
}

function passwordOf(quotedValue: string, { profile, password, redact }: Secrets, needs: Set<string>): string {
  const value = String(parseJson(quotedValue))
  if (value === profile.password?.valid) return named('password.valid', needs)
  if (value === password) return `"${variable('PASSWORD')}"`
  for (const [field, one] of Object.entries(secretPasswords(profile)))
    if (one === value) return named(field as keyof typeof passwordVariables, needs)
  if (redact.literals(value) !== value) throw new Cannot('its body holds a part of a secret')
  return quotedValue
}

const secretPasswords = ({ passwordAccount, password }: Profile) => ({
  'passwordAccount.current': passwordAccount?.current,
  'passwordAccount.next': passwordAccount?.next,
  'password.invalid': password?.invalid,
})

function named(field: keyof typeof passwordVariables, needs: Set<string>): string {
  needs.add(passwordVariables[field])
  return `"${variable(passwordVariables[field])}"`
}
