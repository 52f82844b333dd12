/** Prints how a run ended: on standard output and, in GitHub Actions, as annotations and in the step summary. */
import { appendFile } from 'node:fs/promises'
import { troubleOf } from '../contract/trouble.js'
import type { FleetReport } from '../report/fleet.js'
import { fleetMarkdown, fleetSentence, fleetText } from '../report/fleet-text.js'
import { withoutCommands, workflowCommand, workflowCommands } from '../report/github.js'
import { markdown } from '../report/markdown.js'
import type { Report } from '../report/report.js'
import { type Paint, plain, verdictLine, verdictText } from '../report/text.js'
import { type FlagValues, type Io, inGithubActions } from './usage.js'

/** A report on one tracker or many, in the forms in which it is printed. */
interface Printable {
  readonly report: Report | FleetReport
  text(paint: Paint): string
  /** The verdict alone. */
  line(paint: Paint): string
  /** In Markdown. */
  summary(): string
  /** For GitHub. */
  annotations(): string
}

export const ofRun = (report: Report, out: string | null, advice: readonly string[] = []): Printable => ({
  report,
  text: (paint) => verdictText(report, out, advice, paint),
  line: (paint) => verdictLine(report, paint),
  summary: () => markdown(report),
  annotations: () => workflowCommands(report),
})

export const ofFleet = (report: FleetReport, out: string | null): Printable => ({
  report,
  text: () => fleetText(report, out),
  line: () => fleetSentence(report),
  summary: () => fleetMarkdown(report),
  annotations: () =>
    report.summary.code > 0 ? workflowCommand('error', 'tracker-kit', fleetSentence(report)) : '',
})

/** `--quiet` prints only the verdict, and `--json` the report. */
export async function announce(printable: Printable, flags: FlagValues, io: Io): Promise<void> {
  await addStepSummary(printable, io)
  if (flags.json !== undefined) return io.out(`${JSON.stringify(printable.report, null, 2)}\n`)
  const paint = inGithubActions(io) ? plain : io.paint
  const text = flags.quiet === undefined ? printable.text(paint) : `${printable.line(paint)}\n`
  if (!inGithubActions(io)) return io.out(text)
  // The text quotes the target, and no text of a target may give the runner a command.
  io.out(withoutCommands(text) + printable.annotations())
}

/** Does nothing outside GitHub Actions. If the summary cannot be written, the verdict still counts. */
export async function addStepSummary({ summary }: Printable, io: Io): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = io.env
  if (!inGithubActions(io) || !file) return
  try {
    await appendFile(file, summary())
  } catch (error) {
    io.err(`GITHUB_STEP_SUMMARY ${file} cannot be written: ${troubleOf(error)}\n`)
  }
}
