/** The valid values of a user, for creation and update. */
import type { z } from 'zod'
import { userBody } from '../../conformance/contract/bodies.js'
import type { Decisions } from '../decisions/index.js'
import { has } from '../request/access.js'
import { readBody, refuseEmpty } from '../request/body.js'
import type { AdmittedCall } from '../request/call.js'
import { refuseBy, refuseFor } from '../request/errors.js'
import { isObject } from '../request/json.js'
import { isLanguage, isTimezone } from '../request/preferences.js'
import { levelNumbers, levels } from '../state/levels.js'
import type { User } from '../state/store.js'

export type UserValues = z.infer<typeof userBody>

export function readUser(c: AdmittedCall, target?: User): UserValues {
  // A copy, since members are removed from it.
  const body = { ...readBody(c, userBody, { given: bodyWithPlainLevel(c) }) }
  refuseEmpty(c, body)
  const level = () => body.access_level !== undefined && checkLevel(c, body.access_level)
  // The family checks the level first in a creation, and last in an update.
  if (!target) level()
  const emailFirst = c.decisions['create-validation-order'] === 'email-first'
  if (emailFirst) checkEmail(c, body, target)
  checkUsername(c, body, target)
  if (!emailFirst) checkEmail(c, body, target)
  if (target) level()
  else checkPasswords(c, body)
  checkRealname(c, body)
  checkPreferences(c, body)
  if (body.avatar !== undefined && body.avatar.length > 65_536)
    refuseBy(c, 'create-avatar', { limited: ['field-too-long', 'avatar', 65_536] })
  if (body.password) checkPassword(c, body.password, body.username ?? target?.username ?? '')
  return body
}

function checkPasswords(c: AdmittedCall, body: UserValues): void {
  if (!body.password) refuseBy(c, 'create-password-missing', { refused: ['empty-field', 'password'] })
  if (body.password_current !== undefined)
    refuseBy(c, 'create-password-current', { refused: ['invalid-value', 'password_current'] })
}

/** In the family, a level may be an object with an id or a name. */
function bodyWithPlainLevel(c: AdmittedCall): unknown {
  const { body } = c
  if (c.decisions['access-level-form'] !== 'object-too' || !isObject(body)) return body
  const level = body.access_level
  if (!isObject(level)) return body
  const { id, name } = level
  const named = Object.entries(levels).find(([known]) => known === name)?.[1]
  return { ...body, access_level: named ?? id ?? level }
}

function checkLevel(c: AdmittedCall, level: number): void {
  const any = c.decisions['access-level-values'] === 'up-to-100'
  if (any ? level < 0 || level > 100 : !levelNumbers.includes(level))
    refuseFor('access-level-values', ['invalid-value', 'access_level'])
}

const familyName = /^[a-z\d\-.+_ ]+(@[a-z\d-]+(\.[a-z\d-]+)*\.[a-z]{2,18})?$/i
const usernames: Partial<Record<Decisions['create-username-rules'], RegExp>> = {
  'word-characters': /^[\w.-]+$/,
  'any-text': /^/,
}

/** Trims the username in the body and checks it. One that equals the target's is removed from the body. */
function checkUsername(c: AdmittedCall, body: UserValues, target?: User): void {
  const given = body.username
  if (given === undefined && target) return
  if (given !== undefined && given === target?.username) {
    delete body.username
    return
  }
  const name = given?.trim() ?? ''
  body.username = name
  if (name === '' && !target) {
    // If a creation may omit the username, the tracker makes one up.
    refuseBy(c, 'create-username-required', {
      refused: ['username-invalid', ''],
      'refused-as-empty': ['empty-field', 'username'],
    })
    return
  }
  // The family checks first whether the name is taken in an update, and last in a creation.
  if (target) checkUsernameTaken(c, name, target)
  checkUsernameForm(c, name, given !== name)
  if (!target) checkUsernameTaken(c, name)
}

function checkUsernameForm(c: AdmittedCall, name: string, untrimmed: boolean): void {
  const rules = c.decisions['create-username-rules']
  const invalid = () => refuseFor('create-username-rules', ['username-invalid', name])
  if (name === '' || (rules === 'untrimmed-refused' && untrimmed)) invalid()
  if (name.length > (rules === 'up-to-64' ? 64 : 191) || !(usernames[rules] ?? familyName).test(name))
    invalid()
}

function checkUsernameTaken(c: AdmittedCall, name: string, target?: User): void {
  if (name === '') return
  const { users } = c.store.db
  const folded = c.store.collation.username(name)
  const holder = users.find('username', folded)
  if (holder && holder.id !== target?.id) {
    refuseBy(c, 'create-username-unique', { 'not-unique': ['username-not-unique', name] })
    refuseFor('create-username-unique', ['invalid-value', 'username'], `The username ${name} is taken`)
  }
  const misleads = users.having('realname', folded).some(({ id }) => id !== target?.id)
  if (misleads) refuseBy(c, 'username-vs-realname', { checked: ['username-not-unique', name] })
}

function checkEmail(c: AdmittedCall, body: UserValues, target?: User): void {
  if (body.email === undefined) return
  const email = body.email.trim()
  body.email = email
  if (email === target?.email) {
    delete body.email
    return
  }
  if (email === '') {
    const how = c.decisions['create-email-blank']
    const fine = how === 'allowed' || (how === 'administrators' && has(c.caller, levels.administrator))
    if (!fine) refuseFor('create-email-blank', 'email-invalid', 'An address is required')
    return
  }
  // The family checks first whether the address is taken in a creation, and last in an update.
  if (!target) checkEmailTaken(c, email)
  checkEmailForm(c, email)
  if (target) checkEmailTaken(c, email, target)
}

const emailPatterns = {
  html5:
    /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i,
  loose: /^[^\s@]+@[^\s@]+$/,
  strict: /^[\w+-]+(\.[\w+-]+)*@([a-z\d-]+\.)+[a-z]{2,}$/i,
}

const disposable = new Set(['mailinator.com', 'guerrillamail.com', '10minutemail.com', 'trashmail.com'])

function checkEmailForm(c: AdmittedCall, email: string): void {
  if (email.length > 191 || !emailPatterns[c.decisions['create-email-rules']].test(email))
    refuseFor('create-email-rules', 'email-invalid')
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (disposable.has(domain)) refuseBy(c, 'create-email-disposable', { refused: 'email-disposable' })
}

function checkEmailTaken(c: AdmittedCall, email: string, target?: User): void {
  if (c.store.db.users.having('email', email.toLowerCase()).some(({ id }) => id !== target?.id))
    refuseBy(c, 'create-email-unique', { unique: 'email-not-unique' })
}

function checkRealname(c: AdmittedCall, body: UserValues): void {
  if (body.realname === undefined) return
  body.realname = body.realname.trim().replace(/\s+/g, ' ')
  if (body.realname.length > 255)
    refuseBy(c, 'realname-rules', { 'up-to-255': ['field-too-long', 'realname', 255] })
  if (/[<>]/.test(body.realname)) refuseBy(c, 'realname-rules', { 'no-angle-brackets': 'realname-invalid' })
}

function checkPreferences(c: AdmittedCall, body: UserValues): void {
  if (c.decisions['create-language-timezone'] === 'unchecked') return
  const legal = { language: isLanguage, timezone: isTimezone }
  for (const field of ['language', 'timezone'] as const) {
    const value = body[field]
    if (value === undefined || legal[field](value)) continue
    refuseBy(c, 'create-language-timezone', { 'invalid-refused': ['invalid-value', field] })
    delete body[field]
  }
}

export const PASSWORD_LIMIT = 1024

export function checkPassword(c: AdmittedCall, password: string, username: string): void {
  const rules = c.decisions['password-rules']
  const invalid = (detail: string) => refuseFor('password-rules', ['invalid-value', 'password'], detail)
  if (password.length > PASSWORD_LIMIT) invalid(`A password has at most ${PASSWORD_LIMIT} characters`)
  if (rules === 'six-characters' && password.length < 6) invalid('A password has at least six characters')
  if (rules === 'eight-characters' && password.length < 8) invalid('A password has at least eight characters')
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(password)).length
  if (rules === 'mixed-characters' && (password.length < 8 || kinds < 3))
    invalid('A password has at least eight characters, small and capital letters and digits')
  if (rules === 'not-the-username' && password.toLowerCase() === username.toLowerCase())
    invalid('A password is not the username')
}
