/** The body of a request: how it is read, and what it takes to be understood. */
import { operation as contractOf, type OperationId } from '../../conformance/contract/operations.js'
import type { Decisions } from '../decisions/index.js'
import type { ConditionId } from './conditions.js'
import { Refused, refuse } from './errors.js'
import type { Incoming, ReadHeaders } from './incoming.js'
import { parseJson } from './json.js'

export interface Content {
  readonly text: string
  /** Undefined where the text is empty or no JSON, or nests too deep to be one. */
  readonly json: unknown
}

export const isJsonType = (type: string | null) => /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type ?? '')

export const noContent: Content = { text: '', json: undefined }

const BODY_LIMIT = 1024 * 1024
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The body; a refusal where it is too large, to be given once the caller is known. */
export async function readContent(
  request: Incoming,
  id: OperationId,
  decisions: Decisions,
): Promise<Content | Refused> {
  const tooLarge = () =>
    !contractOf(id).body && decisions['body-where-none'] === 'ignored'
      ? noContent
      : new Refused('body-too-large', { with: [BODY_LIMIT] })
  if (Number(request.headers.get('content-length') ?? 0) > BODY_LIMIT) return tooLarge()
  if (request.body === null) return noContent
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength === 0) return noContent
  if (bytes.byteLength > BODY_LIMIT) return tooLarge()
  let text = '\ufffd'
  try {
    text = decoder.decode(bytes)
    return { text, json: parseJson(text) }
  } catch {
    // The parser's message quotes the text, and there may be a password in it.
    return { text, json: undefined }
  }
}

/** Parsed JSON, or undefined where there was no body; refuses what cannot be understood. */
export function bodyOf(
  { text, json }: Content,
  headers: ReadHeaders,
  id: OperationId,
  decisions: Decisions,
): unknown {
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
  const condition = (
    {
      'message-only': 'malformed-body',
      'invalid-value': 'invalid-value',
      'empty-field': 'empty-field',
    } as const
  )[decisions['malformed-json']] satisfies ConditionId
  refuse(condition, { with: ['body'], detail: 'The body is not JSON', decision: 'malformed-json' })
}
