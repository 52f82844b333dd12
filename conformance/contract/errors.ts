import { z } from 'zod'

/** Section 7: the body of each error answer. `code` and `localized` may be absent, but must have these types. */
export const errorBody = z.looseObject({
  message: z.string(),
  code: z.int().optional(),
  localized: z.string().optional(),
})

/** Section 7: the four error statuses that every operation lists, with their meaning. */
export const errorStatuses = {
  400: 'The request is invalid',
  401: 'Authentication is required or invalid',
  403: 'The authenticated user lacks permission',
  404: 'The requested resource was not found',
} as const

export type ErrorStatus = keyof typeof errorStatuses

/** Section 4: every success answer has this status. */
export const SUCCESS = 200
/** Whether a status says that a request was carried out, documented or not. */
export const isCarriedOut = (status: number): boolean => status >= 200 && status < 300

export const documentedStatuses: readonly number[] = [SUCCESS, ...Object.keys(errorStatuses).map(Number)]
