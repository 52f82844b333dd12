/** Runs the conformance suite at a click. The program that serves the tracker passes it in, so it is not imported here. */
import type { Tracker } from '../types.js'

export interface SuiteProgress {
  /** Stories that are done, and all stories. */
  readonly done: number
  readonly total: number
  /** The current story. */
  readonly story: string
}

export interface SuiteResult {
  readonly verdict: 'conforms' | 'deviates' | 'inconclusive'
  readonly sentence: string
  readonly counts: Readonly<Record<'passed' | 'failed' | 'skipped', number>>
  readonly requests: number
  readonly durationMs: number
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

export type Suite = ReturnType<typeof createSuite>

export function createSuite(tracker: Tracker, run: RunSuite) {
  const listeners = new Set<(status: SuiteStatus) => void>()
  let ending = new AbortController()
  const suite = {
    status: { running: false, progress: null, last: null, trouble: null } as SuiteStatus,
    /** The report of the last run, or null. */
    html: null as string | null,
    /** False if it is running already. */
    start(): boolean {
      if (suite.status.running) return false
      ending = new AbortController()
      update({ running: true, progress: null, trouble: null })
      void check()
      return true
    },
    stop: () => ending.abort(),
    watch(listener: (status: SuiteStatus) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const update = (next: Partial<SuiteStatus>) => {
    suite.status = { ...suite.status, ...next }
    for (const listener of listeners) listener(suite.status)
  }

  async function check(): Promise<void> {
    try {
      // Runs on a copy, so that the developer's state and journal stay unchanged.
      const { html, ...result } = await run(tracker.fork(), {
        signal: ending.signal,
        onProgress: (progress) => update({ progress }),
      })
      suite.html = html
      update({ running: false, last: { ...result, at: new Date().toISOString() } })
    } catch (error) {
      update({ running: false, trouble: error instanceof Error ? error.message : String(error) })
    }
  }
  return suite
}
