/** What a failure shows, in words: what was judged, what led to it, and how to see it again. */
import { needsOf, replayOf } from './commands.js'
import type { ReportFailure } from './report.js'

/** What was judged, by its name, without what the message says already. */
export function judgedRows({
  message,
  place,
  expected,
  seen,
}: ReportFailure): [name: string, text: string][] {
  const rows: [string, string | undefined][] = [
    ['place', place],
    ['expected', expected],
    ['seen', seen],
  ]
  const isSaid = (text: string) => message.includes(text)
  const both = expected !== undefined && seen !== undefined && isSaid(expected) && isSaid(seen)
  return rows.flatMap(([name, text]): [string, string][] =>
    text === undefined || both || (name === 'place' && isSaid(text)) ? [] : [[name, text]],
  )
}

/** A step is read for what it did, so that of long bodies the beginning is enough. */
const MOST_OF_STEP = 1_000

export function shortened(body: unknown): unknown {
  const written = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  return written.length > MOST_OF_STEP
    ? `${written.slice(0, MOST_OF_STEP)}… (cut, ${written.length} characters in all)`
    : body
}

/** The address without what all addresses of a run have in common. */
const pathIn = (url: string) => /\/plugins\/.*$/.exec(url)?.[0] ?? url

export function stepText({ request, response, n, did }: ReportFailure['steps'][number]): string {
  const answer = response.status === 0 ? 'had no answer' : `was answered ${response.status}`
  const text = `${request.method} ${pathIn(request.url)} ${answer}`
  return n === undefined ? text : `#${n} ${text}: ${did}`
}

/** Which exchanges of the trace show it, and what fails only for it; none where the failure does not say. */
export function witnessLines({ witnesses, follows }: ReportFailure): string[] {
  return [
    ...(witnesses.length === 0
      ? []
      : [`exchanges in trace.har: ${witnesses.map((n) => `#${n}`).join(', ')}`]),
    ...(follows.length === 0 ? [] : [`only for this failed: ${follows.join(', ')}`]),
  ]
}

/** Whether the request of the failure is among the steps, since a later one shows what it did. */
const hasItself = ({ steps, request, response }: ReportFailure) =>
  steps.some(
    (step) =>
      step.request.url === request?.url &&
      step.request.method === request.method &&
      step.response.status === response?.status,
  )

/** The requests in order, the one that failed among them; none where that one stands alone. */
export function stepTexts(failure: ReportFailure): string[] {
  const { steps, request, response, earlier } = failure
  // The message of a failure with witnesses tells of each of them.
  if (steps.length === 0 || failure.witnesses.length > 0) return []
  const last = request && response && !hasItself(failure) ? [{ request, response }] : []
  const texts = [...steps, ...last].map((step, index) => `${earlier + index + 1}. ${stepText(step)}`)
  return earlier > 0 ? [`${earlier} more requests before`, ...texts] : texts
}

/** The lines for a shell that show it again, with what stands before them; of the request alone where there is no script. */
export function againOf({ script, curl, steps }: ReportFailure): { title: string; lines: string } | null {
  const lines = script !== null && steps.length > 0 ? script : curl
  if (lines === null) return null
  const needs = needsOf(lines)
  const title = lines === script ? 'show it again' : 'the request alone'
  return { title: needs === '' ? title : `${title}, ${needs}`, lines }
}

/** Why the replay is the only way to see it again; null where there is another one. */
export function whyReplay(failure: ReportFailure): string | null {
  const { noScript, steps, request } = failure
  if (noScript === undefined || (request !== null && steps.length === 0 && againOf(failure) !== null))
    return null
  return `no script shows it again from nothing, since ${noScript}; the replay does: ${replayOf(failure)}`
}

/** All of it, for readers that show plain text. `first`: the failure to read first of those that look alike. */
export function failureText(failure: ReportFailure, first?: ReportFailure): string {
  const { requirement, message, operation, statement, section } = failure
  const again = againOf(failure)
  const why = whyReplay(failure)
  return [
    `${operation}: ${message}`,
    ...(statement === '' ? [] : [`section ${section}: ${statement}`]),
    ...judgedRows(failure).map(([name, value]) => `${name}: ${value}`),
    ...(first === undefined || first.requirement === requirement
      ? []
      : [`alike, likely for the same reason: ${first.requirement} (${first.operation})`]),
    ...stepTexts(failure),
    ...witnessLines(failure),
    ...(again === null ? [] : [`${again.title}:`, again.lines]),
    ...(why === null ? [] : [why]),
    `replay: ${replayOf(failure)}`,
  ].join('\n')
}
