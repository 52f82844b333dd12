/** Reads entries of a HAR as tools write them: with absent members, and with encoded, truncated or missing bodies. */
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { parseJson } from './body.js'
import { type Headers, headerIn, isHidden } from './labels.js'
import type { Heard, Sent } from './tracer.js'

const text = z.string().optional().catch(undefined)
const number = z.number().optional().catch(undefined)
const pair = z.looseObject({ name: z.string(), value: z.union([z.string(), z.number()]).transform(String) })

/** Repeated headers are joined into one, as in HTTP. */
const headers = z
  .array(z.unknown())
  .catch([])
  .transform((all) => {
    const joined: Record<string, string> = {}
    for (const one of all) {
      const { data } = pair.safeParse(one)
      if (!data || data.name.startsWith(':')) continue
      const name = data.name.toLowerCase()
      joined[name] = Object.hasOwn(joined, name) ? `${joined[name]}, ${data.value}` : data.value
    }
    return joined
  })

const content = z.looseObject({ size: number, mimeType: text, text, encoding: text })

export const entrySchema = z.looseObject({
  ...{ _n: number, _caller: text, startedDateTime: text, time: number },
  _lost: z.array(z.enum(['body', 'text'])).catch([]),
  request: z.looseObject({
    ...{ method: z.string(), url: z.string(), headers, bodySize: number },
    postData: content.extend({ params: headers }).optional().catch(undefined),
  }),
  /** Without an answer the response is absent or has the status -1. */
  response: z
    .looseObject({ status: number, headers, bodySize: number, redirectURL: text, content: content.catch({}) })
    .optional()
    .catch(undefined),
})

export type Entry = z.output<typeof entrySchema>

/** The kit's own recordings name their lost parts. `takesBody`: the operation has a body in the document. */
export function requestBody({ request, _lost, _caller }: Entry, takesBody: boolean): Sent['body'] {
  const { postData, bodySize, headers: sent } = request
  if (_lost.includes('body')) return undefined
  if (_caller !== undefined) return postData?.text ?? null
  // Where bodies are left out or in other files, some tools write an empty text.
  const written = postData && decoded(postData)
  if (written) return isLeftOut(written) || isCut(written, lengthIn(sent, bodySize)) ? undefined : written
  const params = Object.entries(postData?.params ?? {})
  if (params.length > 0 && !postData?.mimeType?.startsWith('multipart/'))
    return new URLSearchParams(params).toString()
  if (lengthIn(sent, bodySize) > 0 || params.length > 0) return undefined
  // Some tools write the size 0 for a body that they leave out.
  const isBare = bodySize === 0 && headerIn(sent, 'content-type') === undefined
  const isTold = isBare || headerIn(sent, 'content-length') !== undefined
  return takesBody && !isTold ? undefined : null
}

/** Null without an answer. */
export function heardIn(entry: Entry): Heard | null {
  const { status = 0, headers: received = {} } = entry.response ?? {}
  return status > 0 ? { status, headers: received, text: textOf(entry) } : null
}

function textOf({ response, _lost, _caller }: Entry): string | undefined {
  const { content: given = {}, bodySize, headers: received = {} } = response ?? {}
  if (_lost.includes('text')) return undefined
  if (_caller !== undefined) return given.text ?? ''
  const written = decoded(given)
  if (written !== undefined && written !== '') {
    return isCut(written, given.size) || isLeftOut(written) ? undefined : written
  }
  const isEmpty = given.size === 0 && lengthIn(received, bodySize) <= 0
  const mayBeMore = headerIn(received, 'transfer-encoding') !== undefined && given.text === undefined
  return isEmpty && !mayBeMore ? '' : undefined
}

/** Whether a text is only the beginning of a body: shorter than its size, or JSON without an end where no size is told. */
function isCut(written: string, size = -1): boolean {
  const isBroken = parseJson(written) === undefined
  return isBroken && (size < 0 ? /^\s*[[{].*[^\]}\s]\s*$/s.test(written) : size > Buffer.byteLength(written))
}

/** A placeholder for a body. */
const isLeftOut = (written: string) => isHidden(written) && parseJson(written) === undefined

function lengthIn(all: Headers, size: number | undefined): number {
  return Math.max(size ?? -1, Number(headerIn(all, 'content-length') ?? -1))
}

/** The text of a body that is encoded, and may still be compressed; undefined where none can be read. */
function decoded({ text: written, encoding }: z.output<typeof content>): string | undefined {
  if (written === undefined || encoding?.toLowerCase() !== 'base64') return written
  const bytes = Buffer.from(written, 'base64')
  try {
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b
    return new TextDecoder('utf-8', { fatal: true }).decode(isZipped ? gunzipSync(bytes) : bytes)
  } catch {
    return undefined
  }
}

/** Milliseconds since the epoch, to the microsecond; undefined where the recording does not tell. */
export function startOf({ startedDateTime = '' }: Pick<Entry, 'startedDateTime'>): number | undefined {
  const milliseconds = Date.parse(startedDateTime)
  const [, micros = ''] = /\.\d{3}(\d{1,3})/.exec(startedDateTime) ?? []
  // The time 0 means that the clock was not set.
  const isTold = milliseconds > 1_000_000_000
  return isTold ? milliseconds + Number(micros.padEnd(3, '0')) / 1000 : undefined
}
