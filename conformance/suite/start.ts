/** Runs the suite in a vitest that is started from code, whatever vitest set-up the working directory has. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestCase } from 'vitest/node'
import { UsageError } from '../contract/trouble.js'
import type { RunRecord, TestRecord } from './register.js'
import type { RunOptions } from './run.js'

export interface Outcome {
  readonly records: readonly TestRecord[]
  /** Null when the run was cancelled, or the suite broke. */
  readonly end: RunRecord | null
  /** An error of the suite itself, or the word that the run was cancelled. */
  readonly trouble: string | null
}

/** `onRecord` hears of each check once it is done. An aborted signal ends the run after its clean-up. */
export async function startSuite(
  options: RunOptions,
  signal: AbortSignal,
  onRecord: (record: TestRecord) => void,
): Promise<Outcome> {
  const createVitest = await loadVitest()
  const here = dirname(fileURLToPath(import.meta.url))
  const records: TestRecord[] = []
  const troubles: string[] = []
  let end: RunRecord | null = null

  // Vitest tells of some tests twice where a run is cancelled.
  const told = new Set<string>()
  const reporter: Reporter = {
    onTestCaseResult(test) {
      if (told.has(test.id)) return
      told.add(test.id)
      const meta = test.meta()
      if (meta.trackerKit) {
        records.push(meta.trackerKit)
        onRecord(meta.trackerKit)
      } else if (test.result().state === 'failed') {
        troubles.push(`the suite itself failed in "${test.name}": ${firstError(test)}`)
      }
    },
    onTestSuiteResult(suite) {
      end = suite.meta().trackerKitRun ?? end
      for (const error of suite.errors()) troubles.push(`the suite itself failed: ${error.message}`)
    },
    onTestRunEnd(modules, errors) {
      for (const error of [...errors, ...modules.flatMap((module) => module.errors())])
        troubles.push(`the suite itself failed: ${error.message}`)
    },
  }

  const keepListeners = listenersOf('SIGINT', 'SIGTERM')
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root: here,
      dir: here,
      include: [join(here, 'worker.js')],
      exclude: [],
      watch: false,
      cache: false,
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      reporters: [reporter],
      provide: { trackerKit: options },
      // The package stands in node_modules, where its files are plain modules that need no transformation.
      server: { deps: { external: [/./] } },
      testTimeout: 0,
      teardownTimeout: 5_000,
    },
    { envDir: false, logLevel: 'silent', css: { postcss: {} } },
  )
  // Vitest ends the process at once, which would leave on the target what the run made.
  keepListeners()
  const cancel = () => void vitest.cancelCurrentRun('keyboard-input')
  try {
    signal.addEventListener('abort', cancel)
    // It may have been aborted while vitest was made, when nobody listened.
    if (!signal.aborted) await vitest.start()
  } finally {
    signal.removeEventListener('abort', cancel)
    await vitest.close()
    // Vitest says 1 for failed tests; the program has codes of its own.
    process.exitCode = undefined
  }
  if (signal.aborted) troubles.unshift('the run was cancelled')
  if (end === null && troubles.length === 0) troubles.push('the suite did not come to its end')
  return { records, end, trouble: troubles[0] ?? null }
}

/** Takes most of a second, so only once there is a run. */
async function loadVitest() {
  try {
    return (await import('vitest/node')).createVitest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError(
      'check: the suite runs on vitest, a peer dependency that is not installed here: npm install --save-dev vitest',
    )
  }
}

/** Gives a function that takes off what was put on these signals in the meantime. */
function listenersOf(...signals: NodeJS.Signals[]): () => void {
  const before = signals.map((name) => process.listeners(name))
  return () => {
    signals.forEach((name, index) => {
      for (const listener of process.listeners(name))
        if (!before[index]?.includes(listener)) process.off(name, listener)
    })
  }
}

function firstError(test: TestCase): string {
  return test.result().errors?.[0]?.message ?? 'without an error'
}
