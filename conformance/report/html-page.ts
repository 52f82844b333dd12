/**
 * What both kinds of reports have around them as pages, and the pieces that several of their parts have. Each page is one
 * file, in which nothing else may be loaded or run.
 */
import { createHash } from 'node:crypto'
import { style } from './html-assets.js'
import type { ReportFailure } from './report.js'

/** `title` is a text, `body` is markup, and `script` the only one that runs, at the end of it. */
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

/** Text of a target, inert in markup and attributes alike. */
export function text(value: string): string {
  return value.replace(/[&<>"'`\u2028\u2029]/g, (character) => `&#${character.charCodeAt(0)};`)
}

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
