/** Pieces of markup that several parts of `report.html` have. */
import { text } from './html-page.js'
import type { ReportFailure } from './report.js'

export function block(title: string, content: string, copy = false): string {
  const button = copy ? '<button type="button" data-copy>Copy</button>' : ''
  return `<h3>${text(title)} ${button}</h3><pre>${text(content)}</pre>`
}

export const requestText = ({ method, url, headers, body }: NonNullable<ReportFailure['request']>) =>
  `${method} ${url}\n${lines(headers)}${bodyOf(body)}`

export const responseText = ({ status, headers, body }: NonNullable<ReportFailure['response']>) =>
  `${status}\n${lines(headers)}${bodyOf(body)}`

const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')

const bodyOf = (body: unknown) =>
  body === null ? '' : `\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}`
