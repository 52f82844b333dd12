/** Prints how a run ended: on standard output and, in GitHub Actions, as annotations and in the step summary. */
import { appendFile } from 'node:fs/promises'
import { troubleOf } from '../contract/trouble.js'
import { restText } from '../report/commands.js'
import { withoutCommands, workflowCommands } from '../report/github.js'
import { markdown } from '../report/markdown.js'
import type { Report } from '../report/report.js'
import { unjudgedText } from '../report/skipped.js'
import { verdictColour, verdictSentence, verdictText } from '../report/text.js'
import type { Gate } from '../report/verdict.js'
import { type FlagValues, type Io, inGithubActions } from './usage.js'

interface How extends Pick<Gate, 'failOn'> {
  /** `quiet`: only the verdict; `json`: the report instead of the text. */
  readonly flags?: FlagValues
  readonly advice?: readonly string[]
}

export async function announce(
  report: Report,
  out: string | null,
  { failOn, flags = {}, advice = [] }: How,
  io: Io,
): Promise<void> {
  await addStepSummary(report, io)
  if (flags.json !== undefined) return io.out(`${JSON.stringify(report, null, 2)}\n`)
  const text = flags.quiet === undefined ? verdictText(report, out, advice) : verdictLine(report)
  if (!inGithubActions(io)) return io.out(painted(text, report, advice, io))
  // The text quotes the target, and no text of a target may give the runner a command.
  io.out(withoutCommands(text) + workflowCommands(report, { failOn }))
}

const verdictLine = (report: Report) => `${report.target.baseUrl} ${verdictSentence(report)}\n`

/** The text with what people look for first in colour: failures, counts, the verdict, and what was left out. */
function painted(text: string, report: Report, advice: readonly string[], { paint }: Io): string {
  const sentence = verdictSentence(report)
  const yellow = [unjudgedText(report), report.rest === null ? null : restText, ...advice]
  return text
    .split('\n')
    .map((line) => {
      if (/^FAILED /.test(line)) return line.replace('FAILED', (word) => paint('red', word))
      if (/^(must|should) requirements +\d+ passed/.test(line)) return countsIn(line, paint)
      const [begins] = yellow.filter((one) => one !== null && line.startsWith(one))
      return begins ? line.replace(begins, () => paint('yellow', begins)) : line
    })
    .join('\n')
    .replace(sentence, () => paint(verdictColour(report), sentence))
}

const countsIn = (line: string, paint: Io['paint']) =>
  line
    .replace(/\b[1-9]\d* passed/, (one) => paint('green', one))
    .replace(/\b[1-9]\d* failed/, (one) => paint('red', one))
    .replace(/\b[1-9]\d* skipped/, (one) => paint('yellow', one))

/** Does nothing outside GitHub Actions. If the summary cannot be written, the verdict still counts. */
export async function addStepSummary(report: Report, io: Io): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = io.env
  if (!inGithubActions(io) || !file) return
  try {
    await appendFile(file, markdown(report))
  } catch (error) {
    io.err(`GITHUB_STEP_SUMMARY ${file} cannot be written: ${troubleOf(error)}\n`)
  }
}
