/** The verdict as a person reads it at the end of a run. */
import { needsOf, replayOf } from './commands.js'
import type { Report, ReportFailure } from './report.js'

const MOST_SHOWN = 20

export function verdictText(report: Report, out: string | null): string {
  const { summary, failures, leftovers, target, seed, safety, durationMs } = report
  const lines: string[] = []
  const news = failures.filter(({ known }) => !known)
  for (const failure of news.slice(0, MOST_SHOWN)) lines.push(...failureLines(failure), '')
  if (news.length > MOST_SHOWN)
    lines.push(
      `… and ${news.length - MOST_SHOWN} more failures${out === null ? '; --out DIR keeps all' : ''}`,
      '',
    )
  if (news.length < failures.length)
    lines.push(`${failures.length - news.length} failures stand in the baseline`, '')
  lines.push(...skippedLines(report))
  if (leftovers.length > 0)
    lines.push('Left on the target:', ...leftovers.map((leftover) => `  ${leftover}`), '')
  for (const level of ['must', 'should'] as const) {
    const { passed, failed, skipped } = summary[level]
    lines.push(`${level.padEnd(8)}${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
  lines.push(
    `observed  ${summary.observed} choices that the document leaves open`,
    `run       ${summary.requests} requests in ${(durationMs / 1000).toFixed(1)} s, safety ${safety}, seed ${seed}`,
    '',
    `${target.baseUrl} ${verdictSentence(report)}`,
  )
  if (out !== null) lines.push(`Report: ${out}`)
  return `${lines.join('\n')}\n`
}

export function verdictSentence({ summary: { verdict, because } }: Report): string {
  if (verdict === 'conforms') return 'conforms'
  return verdict === 'deviates' ? `deviates: ${because}` : `was not judged (inconclusive): ${because}`
}

function failureLines(failure: ReportFailure): string[] {
  const { level, requirement, operation, message, curl } = failure
  const needs = curl === null ? '' : needsOf(curl)
  return [
    `FAILED ${level} ${requirement} (${operation})`,
    `  ${message}`,
    ...(curl === null ? [] : [`  ${needs === '' ? '' : `${needs}: `}${curl}`]),
    `  replay: ${replayOf(failure)}`,
  ]
}

/** One line for each reason, since one absent field skips much, and one for all operations without such an answer. */
function skippedLines({ requirements }: Report): string[] {
  const byReason = new Map<string, { readonly ids: Set<string>; readonly operations: Set<string> }>()
  for (const { id, checks } of requirements)
    for (const { reason } of checks) {
      if (reason === undefined) continue
      const [, what, operation] = /^no (.+) of (\w+) was seen$/.exec(reason) ?? []
      const key = what === undefined ? reason : `no ${what} was seen`
      const group = byReason.get(key) ?? { ids: new Set(), operations: new Set() }
      group.ids.add(id)
      if (operation !== undefined) group.operations.add(operation)
      byReason.set(key, group)
    }
  if (byReason.size === 0) return []
  const rows = [...byReason].map(
    ([
      reason,
      {
        ids,
        operations: { size },
        operations,
      },
    ]) => {
      const [first, second, ...rest] = ids
      const named = [first, second].filter((id) => id !== undefined).join(', ')
      const of =
        size > 0 ? ` of ${size} operation${size === 1 ? '' : 's'} (${[...operations].join(', ')})` : ''
      return `  ${reason}${of}: ${named}${rest.length > 0 ? ` and ${rest.length} more` : ''}`
    },
  )
  return ['Skipped, wholly or for some operations:', ...rows, '']
}
