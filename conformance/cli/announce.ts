/** Prints how a run ended: on standard output and, in GitHub Actions, as annotations and in the step summary. */
import { appendFile } from 'node:fs/promises'
import { troubleOf } from '../contract/trouble.js'
import type { FleetReport } from '../report/fleet.js'
import { formsOf } from '../report/forms.js'
import { withoutCommands } from '../report/github.js'
import type { Report } from '../report/report.js'
import { plain } from '../report/text.js'
import { type FlagValues, type Io, inGithubActions } from './usage.js'

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
