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

const port = { error: 'must be a whole number from 0 to 65535' }

export const listenSchema = z.strictObject({
  port: z.int(port).min(0, port).max(65_535, port).optional(),
  host: z.string().optional(),
})

/** The default port is 0, which means any free one; the default host is `127.0.0.1`. */
export type ListenOptions = Readonly<z.infer<typeof listenSchema>>

const operation = z.enum(operationIds, { error: 'must be the id of an operation' })

export const callsSchema = z.strictObject({
  operation: operation.optional(),
  caller: z.string().nullish(),
  status: z.number().optional(),
  body: anything,
})

/**
 * Selects calls of the journal; an absent field matches any value. `caller` is a username, or null for calls without
 * valid credentials. `body` is a part of the body: absent members match any value, and passwords are compared unmasked.
 */
export type CallFilter = Readonly<z.infer<typeof callsSchema>>

export const calledWithSchema = callsSchema.extend({ operation })

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
