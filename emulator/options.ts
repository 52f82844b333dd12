/** Checks the options of a tracker and the arguments of its methods. */
import { z } from 'zod'
import { operationIds } from '../conformance/contract/operations.js'

const anything = z.unknown().optional()

/** Of most options it checks only names and kinds; the code that uses a value checks it further. */
export const optionsSchema = z.strictObject({
  seed: anything,
  decisions: z.record(z.string(), z.unknown()).optional(),
  vary: anything,
  ext: z
    .string()
    .regex(/^[^/]+$/, 'must be one path segment')
    .default('Ext'),
  now: anything,
  baseUrl: z
    .string()
    .refine((url) => URL.canParse(url) && /^https?:[^?#]*$/i.test(url), 'must be an http URL without query')
    .transform((url) => url.replace(/\/$/, ''))
    .default('http://tracker.test/api/rest'),
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
  path: z.record(z.string(), z.string()).optional(),
  caller: z.string().nullish(),
  status: z.number().optional(),
  body: anything,
})

/**
 * Selects calls of the journal; an absent field matches any value. `path` has parameters as they were sent, such as
 * `{ user_id: 'nina' }`. `caller` is a username, or null for calls without valid credentials. `body` is a part of the
 * body: absent members match any value, and passwords are compared unmasked.
 */
export type CallFilter = Readonly<z.infer<typeof callsSchema>>

export const calledWithSchema = callsSchema.extend({ operation })
