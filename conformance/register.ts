/** Registers the suite as vitest tests: one for each requirement and operation. */
import type { OperationId } from './contract/index.js'
import { contact } from './drive/contact.js'
import { check, type DriveOptions } from './drive/run.js'
import { rules } from './oracle/judge.js'
import { runReport } from './report/checked.js'
import type { Report, ReportFailure } from './report/report.js'

/** Only vitest itself needs it: programs that use `record` and `judge` may not have it. */
const vitest = process.env.VITEST === undefined ? null : await import('vitest')

/** The longest time for a run; its requests have their own limits. */
const RUN_TIMEOUT = 3_600_000

/** `only`: ids of requirements or operations; no others can fail. */
export function registerSuite(options: DriveOptions, only: readonly string[]): void {
  if (vitest === null) throw new Error('defineConformance: call it in a test file of vitest')
  const { afterAll, describe, test } = vitest
  const ending = new AbortController()
  let running: Promise<Report> | undefined
  // The first test that runs starts the run, which all tests share.
  const report = () => (running ??= run(options, only, ending.signal))
  const own = testsOf(options, only)
  const names = new Set(own.map(({ rule, operation }) => `${rule} ${operation}`))

  describe('conformance', () => {
    for (const { rule, operation, title } of own)
      test(title, { timeout: RUN_TIMEOUT }, async ({ skip, signal }) => {
        signal.addEventListener('abort', () => ending.abort())
        const { failures, requirements } = await report()
        fail(failures.filter((one) => one.requirement === rule && one.operation === operation))
        const check = requirements
          .find(({ id }) => id === rule)
          ?.checks.find((one) => one.operation === operation)
        if (check?.outcome !== 'passed') skip(check?.reason ?? 'never exercised')
      })
    test('no requirement fails at another operation', { timeout: RUN_TIMEOUT }, async () => {
      const { failures } = await report()
      fail(failures.filter((one) => !names.has(`${one.requirement} ${one.operation}`)))
    })
    // A cancelled run still cleans up.
    afterAll(async () => {
      await running?.catch(() => undefined)
    }, RUN_TIMEOUT)
  })
}

function testsOf({ profile: { notImplemented = [] } }: DriveOptions, only: readonly string[]) {
  const isWanted = (rule: string, operation: OperationId) =>
    !notImplemented.includes(operation) &&
    (only.length === 0 || only.includes(rule) || only.includes(operation))
  return [...rules.values()].flatMap(({ id: rule, level, statement, operations }) =>
    operations
      .filter((operation) => isWanted(rule, operation))
      .map((operation) => ({ rule, operation, title: `[${level}] ${rule} (${operation}): ${statement}` })),
  )
}

async function run(options: DriveOptions, only: readonly string[], signal: AbortSignal): Promise<Report> {
  await contact(options)
  const startedAt = new Date()
  const checked = await check(options, { signal })
  const replay = (requirement: string) =>
    `tracker-kit check --only ${requirement} --seed ${options.seed} --runs ${options.runs}`
  const about = { options, only, startedAt, replay, vanished: false }
  return runReport(checked, about, { failOn: 'should', strict: false, baseline: null })
}

function fail(failures: readonly ReportFailure[]): void {
  if (failures.length === 0) return
  const lines = failures.map(
    ({ operation, message, curl }) => `${operation}: ${message}${curl === null ? '' : `\n  ${curl}`}`,
  )
  throw new Error(lines.join('\n'))
}
