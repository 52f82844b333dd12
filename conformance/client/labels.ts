/** The caller's label in a trace, derived from the credentials of a request. The trace does not hold the credentials. */

import { getOrInsert } from '../contract/memoised.js'
import { saysNothing } from '../oracle/names.js'
import { parseJson } from './body.js'
import type { Profiled } from './redact.js'
import { isSecretName } from './secret-names.js'
import { swapped } from './secret-values.js'

/** By their names in small letters. */
export type Headers = Readonly<Record<string, string>>

/** The label of a caller that neither the profile nor an impersonation explains, by the Authorization header if there is one. */
export type Others = (authorization?: string) => string

export function createLabels({ tokens = {} }: Profiled, others: Others) {
  const roles = new Map(Object.entries(tokens).map(([role, token]) => [`Bearer ${token}`, role]))
  const sessions = new Map<string, string>()
  let impersonations = 0

  return {
    of(headers: Headers): string {
      const { authorization, cookie = '' } = headers
      const [, token] = /^Bearer (.+)$/.exec(authorization ?? '') ?? []
      const role = roles.get(authorization ?? '')
      const cookies = pairsIn(cookie).map((pair) => sessions.get(pair))
      const session = cookies.find(Boolean)
      // The document does not say which of the two counts.
      if (session && role) return `${session}+${role}`
      const known = session ?? role ?? sessions.get(token ?? '')
      if (known) return known
      if (authorization === undefined) return others()
      // The document does not say whether case and blanks of the scheme matter.
      const written = `Bearer ${authorization.replace(/^bearer\s+/i, '').trim()}`
      return isHidden(authorization) || roles.has(written) ? 'unknown' : others(authorization)
    },
    /** Called after a served impersonation: the credentials in its answer belong to its session, even if an earlier one had them. */
    handedOut({ headers, text }: { readonly headers: Headers; readonly text: string }): void {
      const label = `session:${++impersonations}`
      const cookies = pairsIn(headers['set-cookie'] ?? '')
      for (const one of [...credentialsIn(parseJson(text)), ...cookies]) sessions.set(one, label)
    },
  }
}

/** Whether a recorded value is a placeholder for a secret. */
export const isHidden = (text: string): boolean =>
  /^(\w+ )?\W*(\*+|x{3,}|masked|redacted|removed|hidden|filtered|sanitized|omitted)\W*$/i.test(text)

/** The cookies in a header, each as `name=value`. A session may have a short number. */
function pairsIn(header: string): string[] {
  const pairs = header.split(/[;,]/).map((part) => part.trim())
  const isAttribute = (pair: string) => /^(expires|path|domain|max-age|samesite|version)=/i.test(pair)
  return pairs.filter((pair) => /^[\w!#$%&'*.^`|~+-]+=./.test(pair) && !isAttribute(pair))
}

/** A token, without the scheme that an answer may show before it. */
export const bareToken = (text: string): string => text.replace(/^Bearer\s+/i, '')

/** Texts that may be tokens: long and with a digit, or under a name for tokens. */
function credentialsIn(json: unknown, isSecret = false): string[] {
  if (typeof json === 'string') {
    const text = bareToken(json)
    return /^[\w.~+/=-]{8,4096}$/.test(text) && (isSecret || /^(?=.*\d).{16}/.test(text)) ? [text] : []
  }
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([name, value]) => credentialsIn(value, isSecret || isSecretName(name)))
}

/** For recorded requests: one number for each set of credentials, which are hidden from then on. */
export function somebodies(none: 'none' | 'unknown', hide: (secret: string) => void): Others {
  const labels = new Map<string, string>()
  return (authorization = '') => {
    if (authorization.trim() === '') return none
    const token = authorization.replace(/^\S+\s+/, '')
    // `no-such-token` is made up, and `no-such-option` has a part of it.
    if (!saysNothing(token)) hide(token)
    return getOrInsert(labels, authorization, () => `somebody:${labels.size + 1}`)
  }
}

/** For made-up credentials: how they differ from a valid token. */
export const strangers =
  ({ tokens = {}, user }: Profiled): Others =>
  (authorization) => {
    if (authorization === undefined) return 'none'
    const [, scheme = '', given = ''] = /^(\S*)\s*(.*)$/s.exec(authorization) ?? []
    const known = Object.values(tokens).flatMap((token) => token || [])
    const isBearer = /^bearer$/i.test(scheme)
    if (given === '')
      return `stranger:${scheme === '' ? 'an empty header' : isBearer ? 'a scheme alone' : 'one word'}`
    if (!isBearer) return `stranger:the scheme ${/^[a-z]{1,12}$/i.test(scheme) ? scheme : 'of another kind'}`
    if (/^(null|undefined|0|\*|""|true|false)$/.test(given)) return `stranger:the token ${given}`
    if (given === user?.username) return 'stranger:the name of a user'
    if (/^\d{1,9}$/.test(given)) return 'stranger:a number'
    if (known.some((token) => given.startsWith(token))) return 'stranger:a token with more behind'
    if (known.some((token) => token.startsWith(given))) return 'stranger:the beginning of a token'
    if (known.some((token) => swapped(token) === given || token.toUpperCase() === given.toUpperCase()))
      return 'stranger:a token in other letters'
    if (known.some((token) => token.slice(0, 8) === given.slice(0, 8))) return 'stranger:an altered token'
    return `stranger:${given.length > 1000 ? 'a long token' : 'an unknown token'}`
  }
