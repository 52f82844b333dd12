/** Runs the conformance suite at a click. The program that serves the tracker passes it in, so it is not imported here. */
import { jsonReply, textReply } from '../http/message.js'
import { jsonRoute, type Route, route } from '../http/routes.js'
import type { Tracker } from '../types.js'

export type SuiteProgress = Readonly<{ done: number; total: number; story: string }>

export interface SuiteResult {
  readonly verdict: 'conforms' | 'deviates' | 'inconclusive'
  readonly sentence: string
  readonly html: string
}

/** Checks the tracker and may change it. Rejects if there is no result. */
export type RunSuite = (
  tracker: Tracker,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: SuiteProgress) => void },
) => Promise<SuiteResult>

export interface SuiteStatus {
  readonly running: boolean
  readonly progress: SuiteProgress | null
  readonly last: (Omit<SuiteResult, 'html'> & { readonly at: string }) | null
  /** Why the last run has no result. */
  readonly trouble: string | null
}

export function suiteRoutes(tracker: Tracker, run: RunSuite): readonly Route[] {
  let status: SuiteStatus = { running: false, progress: null, last: null, trouble: null }
  let report: string | null = null
  let ending = new AbortController()

  async function check(): Promise<void> {
    const onProgress = (progress: SuiteProgress) => {
      status = { ...status, progress }
    }
    try {
      // Runs on a copy, so that the developer's state and journal stay unchanged.
      const { html, ...result } = await run(tracker.fork(), { signal: ending.signal, onProgress })
      report = html
      status = { ...status, running: false, last: { ...result, at: new Date().toISOString() } }
    } catch (error) {
      status = { ...status, running: false, trouble: error instanceof Error ? error.message : String(error) }
    }
  }

  return [
    jsonRoute('GET suite', 'the progress of the suite, and the result of the last run', () => status),
    route('POST suite', 'runs the suite against a copy of the tracker', () => {
      if (status.running)
        return jsonReply(409, { message: 'The suite is running; wait for its end, or stop it' })
      ending = new AbortController()
      status = { ...status, running: true, progress: null, trouble: null }
      void check()
      return jsonReply(202, status)
    }),
    jsonRoute('DELETE suite', 'stops it', () => {
      ending.abort()
      return status
    }),
    route('GET suite/report.html', null, () =>
      report === null
        ? jsonReply(404, { message: 'There is no report yet; POST to suite runs it' })
        : textReply('text/html', report),
    ),
  ]
}
