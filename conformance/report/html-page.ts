/**
 * The frame of both kinds of HTML reports, and the pieces that several of their parts use. Each page is one file, which
 * may not load or run anything else.
 */
import { createHash } from 'node:crypto'
import { style } from './html-assets.js'
import type { ReportFailure } from './report.js'

/** `title` is text and `body` is markup. `script` goes to the end of the page; no other script may run. */
export function htmlPage(title: string, body: string, script = ''): string {
  const hash = createHash('sha256').update(script).digest('base64')
  const scripts = script === '' ? '' : `script-src 'sha256-${hash}'; `
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; ${scripts}base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
${body}${script === '' ? '' : `\n<script>${script}</script>`}
</body>
</html>
`
}

/** Text of a target, escaped for markup and attributes. */
export function text(value: string): string {
  return value.replace(/[&<>"'`\u2028\u2029]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A table whose cells are markup. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[], kind = '') =>
  `<div class="wide"><table${kind && ` class="${kind}"`}><thead><tr>${head.map((name) => `<th>${name}</th>`).join('')}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody></table></div>`

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
