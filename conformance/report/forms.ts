/** The forms of a report, on one tracker or on many: for a terminal, for GitHub, and as files. */
import type { FleetReport } from './fleet.js'
import { fleetHtml, fleetMarkdown, fleetSentence, fleetText } from './fleet-text.js'
import { workflowCommand, workflowCommands } from './github.js'
import { html } from './html.js'
import { junit } from './junit.js'
import { markdown } from './markdown.js'
import type { Report } from './report.js'
import { sarif } from './sarif.js'
import { type Paint, quietLine, verdictText } from './text.js'

interface Forms {
  /** `out` is the folder of the report. */
  text(out: string | null, advice: readonly string[], paint: Paint): string
  line(paint: Paint): string
  annotations(): string
  summary(): string
  /** The other files by name, beside `report.json` and `summary.md`. */
  readonly files: Readonly<Record<string, () => string>>
}

export const formsOf = (report: Report | FleetReport): Forms =>
  report.schema === 'tracker-kit/fleet@1' ? fleetForms(report) : runForms(report)

const runForms = (report: Report): Forms => ({
  text: (out, advice, paint) => verdictText(report, out, advice, paint),
  line: (paint) => quietLine(report, paint),
  annotations: () => workflowCommands(report),
  summary: () => markdown(report),
  files: {
    'report.html': () => html(report),
    'junit.xml': () => junit(report),
    'report.sarif': () => sarif(report),
  },
})

const fleetForms = (report: FleetReport): Forms => ({
  text: (out) => fleetText(report, out),
  line: () => fleetSentence(report),
  annotations: () =>
    report.summary.code > 0 ? workflowCommand('error', 'tracker-kit', fleetSentence(report)) : '',
  summary: () => fleetMarkdown(report),
  files: { 'report.html': () => fleetHtml(report) },
})
