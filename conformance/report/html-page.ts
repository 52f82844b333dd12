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
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`
}

/** Text of a target, escaped for markup and attributes. */
export function text(value: string): string {
  return value.replace(/[&<>"'`\u2028\u2029]/g, (character) => `&#${character.charCodeAt(0)};`)
}

export const code = (value: string) => `<code>${text(value)}</code>`

/** The parts that are there, one below the other. */
export const markup = (...parts: readonly (string | false)[]) => parts.filter(Boolean).join('\n')

/** The top of the page. `word` and `title` are text, and `facts` are markup. */
export const header = (word: string, kind: string, title: string, facts: readonly string[]) =>
  markup(
    `<header class="${kind}">`,
    `<p class="verdict">${text(word)}</p>`,
    `<h1>${text(title)}</h1>`,
    `<ul class="facts">${items(facts)}</ul></header>`,
  )

export const timeOf = (instant: string) => `<time datetime="${instant}">${instant}</time>`

export const items = (lines: readonly string[]) => lines.map((line) => `<li>${line}</li>`).join('\n')

/** A section of the page; nothing if it has no parts. */
export const section = (id: string, title: string, parts: readonly (string | false)[]) =>
  parts.length === 0 ? '' : markup(`<section id="${id}"><h2>${title}</h2>`, ...parts, '</section>')

/** A table whose cells are markup. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[], kind = '') =>
  `<div class="wide"><table${kind && ` class="${kind}"`}><thead><tr>${head.map((name) => `<th>${name}</th>`).join('')}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody></table></div>`

export function block(title: string, content: string, copy = false): string {
  const button = copy ? '<button type="button" data-copy>Copy</button>' : ''
  return `<h3>${text(title)} ${button}</h3><pre>${text(content)}</pre>`
}

export const requestText = ({ method, url, headers, body }: NonNullable<ReportFailure['request']>) =>
  messageText(`${method} ${url}`, headers, body)

export const responseText = ({ status, headers, body }: NonNullable<ReportFailure['response']>) =>
  messageText(String(status), headers, body)

function messageText(first: string, headers: Readonly<Record<string, string>>, body: unknown): string {
  const lines = [first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  const written = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return `${lines.join('\n')}\n${body === null ? '' : `\n${written}`}`
}
