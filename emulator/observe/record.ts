/** What is noted of each call: in the journal, in the lists of what the document does not allow, and in the coverage. */
import type { TrackerClock } from '../arrange/clock.js'
import type { Recorder } from '../request/trace.js'
import type { Breach } from '../types.js'
import type { CoverageCounter } from './coverage.js'
import { CAPACITY, type Journal } from './journal.js'
import { breachOf, type Violation } from './violations.js'

export interface Log<T> {
  readonly entries: readonly T[]
  add(entry: T): void
  clear(): void
}

/** Of the last thousand. */
export function createLog<T>(): Log<T> {
  const entries: T[] = []
  return {
    entries,
    add(entry) {
      if (entries.length === CAPACITY) entries.shift()
      entries.push(entry)
    },
    clear() {
      entries.length = 0
    },
  }
}

interface Books {
  readonly journal: Journal
  readonly violations: Log<Violation>
  readonly breaches: Log<Breach>
  readonly coverage: CoverageCounter
  readonly clock: TrackerClock
  /** Called once all that there is to say about a call stands in them. */
  onCall(): void
}

export const recorderOf =
  ({ journal, violations, breaches, coverage, clock, onCall }: Books): Recorder =>
  (
    { method, headers },
    url,
    trace,
    { status, headers: answerHeaders, body, text: answer, own, durationMs },
  ) => {
    const { operation, caller, text, refusal, fault, mails } = trace
    const sequence = journal.add({
      at: clock.now().getTime(),
      method,
      url: url.href,
      headers,
      text,
      operation,
      caller: caller?.username ?? null,
      status,
      answerHeaders,
      answer,
      durationMs,
      refusal,
      fault,
      mails,
    })
    for (const violation of trace.violations) violations.add({ sequence, operation, ...violation })
    if (operation !== null) {
      coverage.count(operation, status, caller?.access_level ?? null)
      const breach = own ? breachOf(status, body) : null
      if (breach !== null) breaches.add({ operation, sequence, message: breach })
    }
    onCall()
  }
