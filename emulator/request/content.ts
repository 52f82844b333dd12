/** The body of a call: how it is read, and what it takes to be understood. */
import { operation as contractOf, type OperationId } from '../../conformance/contract/operations.js'
import type { Call } from './call.js'
import type { ConditionId } from './conditions.js'
import { refuse } from './errors.js'
import { jsonOf } from './json.js'
import { BODY_LIMIT } from './message.js'

export const isJsonType = (type: string | null) => /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type ?? '')

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The body as text and as JSON. That it is too large is refused once the caller is known. */
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
export function bodyOf({ text, json, headers, decisions }: Call, id: OperationId): unknown {
  if (text === '') return undefined
  if (!contractOf(id).body) {
    if (decisions['body-where-none'] === 'ignored') return undefined
    refuse('unexpected-body', { decision: 'body-where-none' })
  }
  const type = headers.get('content-type')
  if (!isJsonType(type) && decisions['missing-content-type'] === 'refused')
    refuse('malformed-body', {
      detail: `The content type is "${type ?? ''}"`,
      decision: 'missing-content-type',
    })
  if (json !== undefined) return json
  const conditions = {
    'message-only': 'malformed-body',
    'invalid-value': 'invalid-value',
    'empty-field': 'empty-field',
  } as const satisfies Record<string, ConditionId>
  refuse(conditions[decisions['malformed-json']], {
    with: ['body'],
    detail: 'The body is not JSON',
    decision: 'malformed-json',
  })
}
