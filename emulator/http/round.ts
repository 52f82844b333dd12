/** Answers are written at the end of the round of the event loop in which their requests arrived. */
import type { ServerResponse } from 'node:http'
import { setRealImmediate } from '../arrange/clock.js'
import { fail } from './connections.js'

interface Due {
  readonly response: ServerResponse
  readonly write: () => void
}

let due: Due[] = []

/**
 * All that has arrived is worked on before anything is written: the first answer wakes a client that waits, and from then
 * on the two work at the same time. Writing each answer at once would pay for that over and over.
 */
export function atEndOfRound(response: ServerResponse, write: () => void): void {
  if (due.push({ response, write }) === 1) setRealImmediate(writeAll)
}

function writeAll(): void {
  const all = due
  due = []
  for (const { response, write } of all)
    try {
      write()
    } catch (error) {
      fail(response, error)
    }
}
