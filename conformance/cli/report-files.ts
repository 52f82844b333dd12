/** Prints a report, and writes its files; reads the file of known deviations. */
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readJson } from '../client/files.js'
import { toHar } from '../client/har.js'
import type { OfflineProfile } from '../client/profile.js'
import { redactor } from '../client/redact.js'
import { withoutSecrets } from '../client/tracer.js'
import { troubleOf, UsageError } from '../contract/trouble.js'
import type { Exchange } from '../oracle/exchange.js'
import { type Baseline, baselineSchema } from '../report/baseline.js'
import type { FleetReport } from '../report/fleet.js'
import { formsOf } from '../report/forms.js'
import { withoutCommands } from '../report/github.js'
import type { Report } from '../report/report.js'
import { plain } from '../report/text.js'
import { writeWhole } from './files.js'
import { type FlagValues, type Io, inGithubActions } from './usage.js'

/** Writes each file of a report to a directory in one step. */
export async function writeReports(report: Report | FleetReport, directory: string): Promise<void> {
  const { files, summary } = formsOf(report)
  const json = () => `${JSON.stringify(report, null, 2)}\n`
  for (const [name, text] of Object.entries({ 'report.json': json, ...files, 'summary.md': summary })) {
    const file = join(directory, name)
    await writeWhole(file, file, text)
  }
}

/** Removes the report of an earlier run, which a run that ends without a report would leave for that of its own. */
export async function removeReports({ out, plan }: FlagValues): Promise<void> {
  if (out === undefined || plan !== undefined) return
  for (const name of ['report.json', 'report.html', 'junit.xml', 'report.sarif', 'summary.md'])
    await rm(join(out, name), { force: true }).catch(() => undefined)
}

/** Writes a trace as a HAR file beside the report. */
export async function writeTrace(file: string, trace: readonly Exchange[], profile: OfflineProfile) {
  const masked = withoutSecrets(trace, redactor(profile))
  await writeWhole(file, file, () => `${JSON.stringify(toHar(masked, profile), null, 1)}\n`)
}

/** Throws a `UsageError` that names the flag, the file and the field. */
export function readBaseline(file: string, flag = '--baseline'): Baseline {
  const { data, error } = baselineSchema.safeParse(readJson(`${flag} ${file}`, file))
  if (data) return data
  const [issue] = error.issues
  throw new UsageError(`${flag} ${file}: field "${issue?.path.join('.')}": ${issue?.message}`)
}

/**
 * `--quiet` prints only the verdict, and `--json` the report. `out` is the folder of the report; `advice` names other
 * commands that the reader may want to run.
 */
export async function announce(
  report: Report | FleetReport,
  out: string | null,
  flags: FlagValues,
  io: Io,
  advice: readonly string[] = [],
): Promise<void> {
  await addStepSummary(report, io)
  if (flags.json !== undefined) return io.out(`${JSON.stringify(report, null, 2)}\n`)
  const forms = formsOf(report)
  const paint = inGithubActions(io) ? plain : io.paint
  const text = flags.quiet === undefined ? forms.text(out, advice, paint) : `${forms.line(paint)}\n`
  // The text quotes the target, and no text of a target may give the runner a command.
  io.out(inGithubActions(io) ? withoutCommands(text) + forms.annotations() : text)
}

/** Does nothing outside GitHub Actions. If the summary cannot be written, the verdict still counts. */
export async function addStepSummary(report: Report | FleetReport, io: Io): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = io.env
  if (!inGithubActions(io) || !file) return
  try {
    await appendFile(file, formsOf(report).summary())
  } catch (error) {
    io.err(`GITHUB_STEP_SUMMARY ${file} cannot be written: ${troubleOf(error)}\n`)
  }
}
