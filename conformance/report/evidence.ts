/** The evidence of a failure, in words: what was judged, which exchanges show it, and how to reproduce it. */
import { operation } from '../contract/index.js'
import type { ReportFailure } from './report.js'

/** The command as people type it: the program is in `node_modules`, not on the PATH. */
export const npx = (command: string) => `npx ${command}`

/** Introduces the command that also judges what the safety level left out. It changes the target, so not all may run it. */
export const restText = 'More can be checked with this command, which changes the tracker (--plan shows how)'

/** What was judged, as rows of a name and a value, without what the message already says. */
export function judgedRows({
  message,
  place,
  expected,
  seen,
}: ReportFailure): (readonly [name: string, text: string])[] {
  const isSaid = (text = '') => text !== '' && message.includes(text)
  if (isSaid(expected) && isSaid(seen)) return []
  const rows = { place: isSaid(place) ? undefined : place, expected, seen }
  return Object.entries(rows).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))
}

/** The length to which the body of a step is cut: its beginning shows what the step did. */
const MOST_OF_STEP = 1_000

export function shortened(body: unknown, most = MOST_OF_STEP): unknown {
  const written = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  const { length } = written
  return length > most ? `${written.slice(0, most)}… (cut, ${length} characters in all)` : body
}

export function stepText({ request, response, n, did }: ReportFailure['steps'][number]): string {
  const answer = response.status === 0 ? 'had no answer' : `was answered ${response.status}`
  // Only this part of the address differs between the addresses of a run.
  const [path] = /\/plugins\/.*$/.exec(request.url) ?? [request.url]
  const text = `${request.method} ${path} ${answer}`
  return n === undefined ? text : `#${n} ${text}: ${did}`
}

/** The exchanges of the trace that show the failure, and what failed only because of it; empty if it has neither. */
export function witnessLines({ witnesses, follows }: ReportFailure): string[] {
  const numbers = witnesses.map((n) => `#${n}`).join(', ')
  return [
    ...(numbers === '' ? [] : [`exchanges in trace.har: ${numbers}`]),
    ...(follows.length === 0 ? [] : [`failed only because of this: ${follows.join(', ')}`]),
  ]
}

/** The shell command that repeats the request; null where the reader may not have the credentials. */
export function againOf({ curl, operation: id }: ReportFailure): { title: string; line: string } | null {
  if (curl === null) return null
  const [, variable] = /"Authorization: \S+ +\$(TRACKER_[A-Z_]+)"/.exec(curl) ?? []
  const needs = variable === undefined ? '' : `, with the token in ${variable}`
  const isOfThing = operation(id).parameters.some(({ name }) => name === 'user_id' || name === 'field_id')
  const gone = isOfThing ? ' (what it names may be gone; put a name or id of your own in its place)' : ''
  return { title: `the request alone${needs}${gone}`, line: curl }
}

/** The lines below the message, as plain text: the statement, what was judged, the exchanges, and how to reproduce it. */
export function evidenceLines(failure: ReportFailure): string[] {
  const again = againOf(failure)
  return [
    `section ${failure.section}: ${failure.statement}`,
    ...judgedRows(failure).map(([name, value]) => `${name}: ${value}`),
    ...witnessLines(failure),
    ...(again === null ? [] : [`${again.title}: ${again.line}`]),
    `replay: ${npx(failure.replay)}`,
  ]
}

/** The whole failure, for tools that show one at a time. `first`: the one to read first of those that look alike. */
export function failureText(failure: ReportFailure, first = failure): string {
  const { message, operation } = failure
  const isOther = first.requirement !== failure.requirement
  return [
    `${operation}: ${message}`,
    ...(isOther ? [`looks like ${first.requirement} (${first.operation}), likely for the same reason`] : []),
    ...evidenceLines(failure),
  ].join('\n')
}
