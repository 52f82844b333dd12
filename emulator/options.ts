/** Checks the options of a tracker and the arguments of its methods. */
import { z } from 'zod'
import { operationIds } from '../conformance/contract/operations.js'

export const DEFAULT_BASE_URL = 'http://tracker.test/api/rest'

const anything = z.unknown().optional()

/** Checks only names and kinds; the code that uses a value checks it further. */
export const optionsSchema = z.strictObject({
  seed: anything,
  decisions: z.record(z.string(), z.unknown()).optional(),
  vary: anything,
  ext: z.string().optional(),
  now: anything,
  baseUrl: z.string().optional(),
})

export const listenSchema = z.strictObject({
  port: wholeNumber(0, 65_535).optional(),
  host: z.string().optional(),
})

const operation = z.enum(operationIds, { error: 'must be the id of an operation' })

export const callsSchema = z.strictObject({
  operation: operation.optional(),
  caller: z.string().nullish(),
  status: z.number().optional(),
  body: anything,
})

export const calledWithSchema = callsSchema.extend({ operation })

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z.int({ error }).min(min, { error }).max(max, { error })
}

export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new RangeError(`The base URL must be an http URL without query, not "${text}"`)
  return text.replace(/\/$/, '')
}

export function parseExt(ext: string): string {
  if (ext === '' || ext.includes('/'))
    throw new RangeError(`The extension must be one path segment, not "${ext}"`)
  return ext
}
