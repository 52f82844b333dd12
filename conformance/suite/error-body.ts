/** Section 7's error body, and in words what an answer has in its place. */

import { unreadable } from '../client/body.js'
import type { Answer } from '../client/call.js'
import { errorBody } from '../contract/index.js'

/** Null where the body is as section 7 has it; and where it cannot be told, since nobody reads what nests so deep. */
export function errorBodyFault({ json, text }: Pick<Answer, 'json' | 'text'>): string | null {
  if (json === undefined && unreadable(text) === 'too deep') return null
  if (json === undefined || typeof json !== 'object' || json === null || Array.isArray(json))
    return `expected a JSON object, saw ${kindOf(json, text)}`
  const result = errorBody.safeParse(json)
  if (result.success) return null
  const [member = 'message'] = result.error.issues[0]?.path ?? []
  const expected = member === 'code' ? 'an integer' : 'a string'
  const seen = (json as Record<string, unknown>)[String(member)]
  return `expected ${String(member)} to be ${expected}, saw ${seen === undefined ? 'nothing' : JSON.stringify(seen)}`
}

/** In words, what stands where a JSON object should. */
export function kindOf(json: unknown, text: string): string {
  if (json === undefined) {
    if (text === '') return 'no body'
    return unreadable(text) === null ? 'text that is not JSON' : 'a byte order mark before the JSON'
  }
  return Array.isArray(json) ? 'an array' : json === null ? 'null' : `a ${typeof json}`
}
