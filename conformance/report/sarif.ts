/** `report.sarif` for code scanning (SARIF 2.1.0): each requirement is a rule, and each failure a result of it. */
import { operation as operationOf, operations } from '../contract/operations.js'
import { deviationOf } from './baseline.js'
import { failureText, npx } from './evidence.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'
import { verdictSentence } from './view.js'

const ROOT = 'REST_ROOT'

export function sarif(report: Report): string {
  const { requirements, failures, target, version } = report
  const rules = requirements.map(ruleOf)
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'tracker-kit', version, rules } },
        originalUriBaseIds: { [ROOT]: { uri: `${target.baseUrl}/` } },
        invocations: [invocationOf(report)],
        results: failures.map((one) => resultOf(one, report, indexes.get(one.requirement))),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

const levels = { must: 'error', should: 'warning' } as const

function ruleOf({ id, level, section, statement, operations: on }: ReportRequirement) {
  const lines = [
    `Section ${section} of the document (${level}): ${statement}`,
    `It is about ${on.length === operations.length ? 'all operations' : on.join(', ')}.`,
    `To check it alone: ${npx(`tracker-kit check --only ${id}`)}`,
  ]
  return {
    id,
    shortDescription: { text: statement },
    help: { text: lines.join('\n'), markdown: lines.join('\n\n') },
    defaultConfiguration: { level: levels[level] },
    properties: { tags: [level, `section ${section}`] },
  }
}

function resultOf(failure: ReportFailure, { target }: Report, rule: number | undefined) {
  const { requirement, level, operation, known, reason = 'in the baseline' } = failure
  return {
    ruleId: requirement,
    ruleIndex: rule,
    level: levels[level],
    message: { text: failureText(failure) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: placeOf(operation, target.ext), uriBaseId: ROOT } },
        logicalLocations: [{ name: operation, kind: 'function' }],
      },
    ],
    // Ids and made-up names differ in each run and must not make a new finding.
    partialFingerprints: { 'deviation/v1': deviationOf(failure) },
    ...(known ? { suppressions: [{ kind: 'external', justification: reason }] } : {}),
  }
}

/** The address of an operation, without braces, which a URI may not contain. */
const placeOf = (id: ReportFailure['operation'], ext: string) =>
  `plugins/${encodeURIComponent(ext)}${operationOf(id).path.replace(/[{}]/g, '')}`

function invocationOf(report: Report) {
  const { startedAt, durationMs, summary } = report
  const executionSuccessful = summary.verdict !== 'inconclusive'
  const endTimeUtc = new Date(Date.parse(startedAt) + durationMs).toISOString()
  const about = { executionSuccessful, startTimeUtc: startedAt, endTimeUtc }
  // A file without results would look like a good run.
  const message = { text: verdictSentence(report) }
  return executionSuccessful ? about : { ...about, toolExecutionNotifications: [{ level: 'error', message }] }
}
