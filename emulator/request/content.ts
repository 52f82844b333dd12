/** Reads the body of a call, and refuses a body that cannot be understood. */
import { operation as contractOf, type OperationId } from '../../conformance/contract/operations.js'
import type { Call } from './call.js'
import { jsonOf } from './json.js'
import { BODY_LIMIT } from './message.js'
import { refuseBy } from './refuse-by.js'

export const isJsonType = (type: string | null) => /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type ?? '')

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads the body as text and as JSON. A body that is too large is refused later, once the caller is known. */
export function readContent(call: Call, id: OperationId): void {
  const { bytes } = call
  if (bytes === null || bytes.length === 0) return
  if (bytes === 'too-large' || bytes.length > BODY_LIMIT) {
    call.tooLarge = !(!contractOf(id).body && call.decisions['body-where-none'] === 'ignored')
    return
  }
  call.text = '\ufffd'
  try {
    call.text = decoder.decode(bytes)
  } catch {
    return
  }
  call.json = jsonOf(call.text)
}

/** Parsed JSON, or undefined where there was no body; refuses what cannot be understood. */
export function bodyOf(call: Call, id: OperationId): unknown {
  const { text, json, headers } = call
  if (text === '') return undefined
  if (!contractOf(id).body) {
    refuseBy(call, 'body-where-none', { refused: 'unexpected-body' })
    return undefined
  }
  const type = headers.get('content-type')
  if (!isJsonType(type))
    refuseBy(
      call,
      'missing-content-type',
      { refused: 'malformed-body' },
      `The content type is "${type ?? ''}"`,
    )
  if (json !== undefined) return json
  refuseBy(
    call,
    'malformed-json',
    {
      'message-only': ['malformed-body', 'body'],
      'invalid-value': ['invalid-value', 'body'],
      'empty-field': ['empty-field', 'body'],
    },
    'The body is not JSON',
  )
}
