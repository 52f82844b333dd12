/** The conformance suite, run at a click. Who serves the tracker brings the suite along; the emulator does not know it. */
import type { Tracker } from '../types.js'

export interface SuiteProgress {
  /** Stories that were told, and that there are. */
  readonly done: number
  readonly total: number
  /** The one that is told now. */
  readonly story: string
}

export interface SuiteResult {
  readonly verdict: 'conforms' | 'deviates' | 'inconclusive'
  /** The verdict in one sentence. */
  readonly sentence: string
  /** Requirements by outcome. */
  readonly counts: Readonly<Record<'passed' | 'failed' | 'skipped', number>>
  readonly requests: number
  readonly durationMs: number
  /** The whole report as a page. */
  readonly html: string
}

/** Checks the tracker, which is given over to it. Rejects where there is no result. */
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

export interface Suite {
  readonly status: SuiteStatus
  /** The report of the last run, or null. */
  readonly html: string | null
  /** False where it runs already. */
  start(): boolean
  stop(): void
  watch(listener: (status: SuiteStatus) => void): () => void
}

export function createSuite(tracker: Tracker, run: RunSuite): Suite {
  const listeners = new Set<(status: SuiteStatus) => void>()
  let status: SuiteStatus = { running: false, progress: null, last: null, trouble: null }
  let html: string | null = null
  let ending = new AbortController()
  const update = (next: Partial<SuiteStatus>) => {
    status = { ...status, ...next }
    for (const listener of listeners) listener(status)
  }

  async function check(): Promise<void> {
    try {
      // A copy, so that neither the state nor the journal of the developer is touched.
      const { html: page, ...result } = await run(tracker.fork(), {
        signal: ending.signal,
        onProgress: (progress) => update({ progress }),
      })
      html = page
      update({ running: false, last: { ...result, at: new Date().toISOString() } })
    } catch (error) {
      update({ running: false, trouble: error instanceof Error ? error.message : String(error) })
    }
  }

  return {
    get status() {
      return status
    },
    get html() {
      return html
    },
    start() {
      if (status.running) return false
      ending = new AbortController()
      update({ running: true, progress: null, trouble: null })
      void check()
      return true
    },
    stop: () => ending.abort(),
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
