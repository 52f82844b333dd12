/**
 * The frame of both kinds of HTML reports, and the pieces that several of their parts use. Each page is one file, which
 * may not load or run anything else.
 */
import { createHash } from 'node:crypto'
import { style } from './html-assets.js'
import { type Cell, type Colour, type Part, wordsIn } from './view.js'

interface Page {
  readonly colour: Colour
  /** The verdict in a word, and in a sentence. */
  readonly word: string
  readonly title: string
  readonly facts: readonly (readonly [name: string, text: string])[]
  /** Sections in markup; empty ones are left out. */
  readonly sections: readonly string[]
  /** No other script may run. */
  readonly script?: string
}

export function htmlPage({ colour, word, title, facts, sections, script = '' }: Page): string {
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
<header class="${colour}">
<p class="verdict">${text(word)}</p>
<h1>${text(title)}</h1>
<ul class="facts">${facts.map(([name, value]) => `<li><b>${text(name)}</b> ${text(value)}</li>`).join('\n')}</ul></header>
<main>
${markup(...sections)}
</main>
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

/** A section of the page; nothing if it has no parts. */
export const section = (id: string, title: string, parts: readonly (string | false)[]) =>
  parts.length === 0 ? '' : markup(`<section id="${id}"><h2>${title}</h2>`, ...parts, '</section>')

export const table = (head: readonly string[], rows: readonly (readonly string[])[], kind = '') =>
  `<div class="wide"><table class="${kind}"><thead><tr>${head.map((name) => `<th>${name}</th>`).join('')}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody></table></div>`

export function block(title: string, content: string, copy = false): string {
  const button = copy ? '<button type="button" data-copy>Copy</button>' : ''
  return `<h3>${text(title)} ${button}</h3><pre>${text(content)}</pre>`
}

export const list = (lines: readonly string[]) =>
  `<ul>${lines.map((line) => `<li>${text(line)}</li>`).join('\n')}</ul>`

export function partSection({ id, title, heading, head, rows, command }: Part): string {
  if (rows.length === 0) return ''
  const marked = (cell: Cell) =>
    typeof cell === 'string' ? text(cell) : `<a href="${text(cell.href)}">${text(cell.text)}</a>`
  const cells = rows.map((row) => row.map(marked))
  return section(id, heading ?? title, [
    heading !== undefined && `<p>${text(title)}.</p>`,
    head ? table(head, cells) : list(rows.flat().map(wordsIn)),
    command ? block(...command, true) : false,
  ])
}
