/** Tells how a run ended: on standard output, and in GitHub Actions beside the step and in its summary too. */
import { appendFile } from 'node:fs/promises'
import { troubleOf } from '../contract/trouble.js'
import { withoutCommands, workflowCommands } from '../report/github.js'
import { markdown } from '../report/markdown.js'
import type { Report } from '../report/report.js'
import { verdictColour, verdictSentence, verdictText } from '../report/text.js'
import type { Gate } from '../report/verdict.js'
import type { Io } from './usage.js'

export const inGithubActions = ({ env }: Io) => env.GITHUB_ACTIONS === 'true'

export async function announce(
  report: Report,
  out: string | null,
  gate: Pick<Gate, 'failOn'>,
  io: Io,
  how: { readonly vanishes?: boolean } = {},
): Promise<void> {
  const text = verdictText(report, out, how)
  if (!inGithubActions(io)) return io.out(painted(text, report, io))
  // It quotes the target, and what a target says shall not command the runner.
  io.out(withoutCommands(text) + workflowCommands(report, gate))
  await addStepSummary(report, io)
}

/** What a person looks for first, in colour: what failed, and the verdict. */
function painted(text: string, report: Report, { paint }: Io): string {
  const sentence = verdictSentence(report)
  return text
    .replace(/^FAILED/gm, (word) => paint('red', word))
    .replace(sentence, () => paint(verdictColour(report), sentence))
}

/** Does nothing outside of GitHub Actions. A summary that cannot be written is no reason to lose the verdict. */
export async function addStepSummary(report: Report, io: Io): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = io.env
  if (!inGithubActions(io) || !file) return
  try {
    await appendFile(file, markdown(report))
  } catch (error) {
    io.err(`GITHUB_STEP_SUMMARY ${file} cannot be written: ${troubleOf(error)}\n`)
  }
}
