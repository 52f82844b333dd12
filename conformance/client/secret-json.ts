/** Masks secrets in JSON by the names around them. */
import { isObject } from '../oracle/json.js'
import { isSecretName, isValueName, namesSecret } from './secret-names.js'

interface Masks {
  leaf(value: unknown, isSecret: boolean): unknown
  /** Of a member. */
  name(text: string): string
}

/** `isSecret`: a name around the value says so. */
export function maskJson(json: unknown, masks: Masks, isSecret = false): unknown {
  if (Array.isArray(json)) return json.map((item) => maskJson(item, masks, isSecret))
  if (!isObject(json)) return masks.leaf(json, isSecret)
  const members = Object.entries(json)
  const isPair = members.some(([name, value]) => namesSecret(withoutNumber(name), value))
  const isIts = (name: string) =>
    // The record of a session tells its user.
    isSecret ? !/^(user_?name|e?mail)$/i.test(name) : isSecretName(name) || (isPair && isValueName(name))
  return Object.fromEntries(
    members.map(([name, value]) => [masks.name(name), maskJson(value, masks, isIts(withoutNumber(name)))]),
  )
}

/** Each name of a member may have a number before it. */
export const withoutNumber = (name: string): string => name.replace(/^\d+ /, '')
