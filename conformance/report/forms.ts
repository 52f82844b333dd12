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

/** `out` is the folder of the report; `files` are the others by name, beside `report.json` and `summary.md`. */
export const formsOf = (report: Report | FleetReport) =>
  report.schema === 'tracker-kit/fleet@1' ? fleetForms(report) : runForms(report)

const runForms = (report: Report) => ({
  text: (out: string | null, advice: readonly string[], paint: Paint) =>
    verdictText(report, out, advice, paint),
  line: (paint: Paint) => quietLine(report, paint),
  annotations: () => workflowCommands(report),
  summary: () => markdown(report),
  files: {
    'report.html': () => html(report),
    'junit.xml': () => junit(report),
    'report.sarif': () => sarif(report),
  },
})

const fleetForms = (report: FleetReport) => ({
  text: (out: string | null) => fleetText(report, out),
  line: () => fleetSentence(report),
  annotations: () =>
    report.summary.code > 0 ? workflowCommand('error', 'tracker-kit', fleetSentence(report)) : '',
  summary: () => fleetMarkdown(report),
  files: { 'report.html': () => fleetHtml(report) },
})
