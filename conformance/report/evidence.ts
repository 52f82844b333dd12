/** The evidence of a failure, in words: which exchanges show it, and how to reproduce it. */
import { operation } from '../contract/index.js'
import type { ReportFailure } from './report.js'

/** The command as people type it: the program is in `node_modules`, not on the PATH. */
export const npx = (command: string) => `npx ${command}`

export interface Fact {
  readonly name: string
  readonly text: string
  /** A command can be copied. What was sent and answered, in a step or at last, is only for forms that have room for it. */
  readonly kind?: 'command' | 'step' | 'message'
}

/** All that stands below the message of a failure. */
export function factsOf({ request, response, steps, ...failure }: ReportFailure): Fact[] {
  const { section, statement, reason = '', witnesses, follows, curl, replay } = failure
  const isOfThing = operation(failure.operation).parameters.length > 0
  const alone = `the request alone${isOfThing ? ' (what it names may be gone)' : ''}`
  const facts: Fact[] = [
    { name: `section ${section}`, text: statement },
    { name: 'in the baseline', text: reason },
    { name: 'exchanges in trace.har', text: witnesses.map((n) => `#${n}`).join(', ') },
    { name: 'failed only because of this', text: follows.join(', ') },
    ...steps.map(
      ({ n, did, ...step }): Fact => ({
        ...{ name: `#${n} ${did}`, kind: 'step' },
        text: `${requestText({ ...step.request, headers: {} })}\n\n${responseText(step.response)}`,
      }),
    ),
    { name: 'request', text: request === null ? '' : requestText(request), kind: 'message' },
    { name: 'response', text: response === null ? '' : responseText(response), kind: 'message' },
    { name: alone, text: curl ?? '', kind: 'command' },
    { name: 'replay', text: npx(replay), kind: 'command' },
  ]
  return facts.filter(({ text }) => text !== '')
}

const requestText = ({ method, url, headers, body }: NonNullable<ReportFailure['request']>) =>
  messageText(`${method} ${url}`, headers, body)

const responseText = ({ status, headers, body }: NonNullable<ReportFailure['response']>) =>
  status === 0 ? 'no answer' : messageText(String(status), headers, body)

function messageText(first: string, headers: Readonly<Record<string, string>>, body: unknown): string {
  const lines = [first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  const written = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return `${lines.join('\n')}${body === null ? '' : `\n\n${written}`}`
}

export const factLines = (failure: ReportFailure): string[] =>
  factsOf(failure).flatMap(({ name, text, kind }) =>
    kind === undefined || kind === 'command' ? `${name}: ${text}` : [],
  )

/** The whole failure, for tools that show one at a time. */
export const failureText = (failure: ReportFailure): string =>
  [`${failure.operation}: ${failure.message}`, ...factLines(failure)].join('\n')
