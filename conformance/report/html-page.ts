/**
 * The frame of both kinds of HTML reports, and the pieces that several of their parts use. Each page is one file, which
 * may not load or run anything else.
 */
import { createHash } from 'node:crypto'
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

const style = `
:root { --ink: #1c2430; --paper: #fff; --soft: #f3f5f8; --line: #d8dee8; --good: #17703a; --bad: #b3261e; --open: #8a5a00; --known: #6a3a9c }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e8f0; --paper: #14181f; --soft: #1e242e; --line: #343d4b; --good: #6fd08f; --bad: #ff8f85; --open: #f0bd5e; --known: #cfaef7 }
}
* { box-sizing: border-box }
body { margin: 0; overflow-wrap: break-word; color: var(--ink); background: var(--paper); font: 1rem/1.5 system-ui, sans-serif }
header, main { max-width: 76rem; margin: 0 auto; padding: 1rem }
header { --verdict: var(--open); border-bottom: 3px solid var(--verdict) }
header.green { --verdict: var(--good) } header.red { --verdict: var(--bad) }
.verdict { margin: 0; font-weight: 700; text-transform: uppercase; letter-spacing: .08em; color: var(--verdict) }
h1 { margin: 0 0 .5rem; font-size: 1.4rem; overflow-wrap: anywhere }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem } h3 { margin: .8rem 0 .2rem; font-size: .9rem }
.facts { display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; margin: 0; padding: 0; list-style: none }
code, pre { font: .88em/1.45 ui-monospace, monospace }
pre { margin: 0; padding: .6rem .8rem; background: var(--soft); border-radius: .3rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto }
.failure { margin: .8rem 0; padding: .5rem .8rem; border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: .3rem }
.alike { margin-top: .8rem } summary { cursor: pointer } .message { margin: .5rem 0; font-weight: 600 }
.tag { padding: 0 .4rem; border: 1px solid var(--line); border-radius: .6rem; font-size: .8rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% } th, td { padding: .25rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) } table:not(.areas) thead th::first-letter, h3::first-letter, dt::first-letter, .facts b::first-letter { text-transform: uppercase }
.areas { width: auto } .areas th, .areas td { padding: .1rem .35rem } .areas thead th { vertical-align: bottom } .areas thead span { writing-mode: vertical-rl; white-space: nowrap; font-weight: 400 }
.areas tbody th { font-weight: 400; white-space: nowrap } .areas td { white-space: nowrap; font-variant-numeric: tabular-nums } .areas a { color: inherit; text-decoration: none } .areas a:hover { text-decoration: underline }
span.passed { color: var(--good) } span.failed { color: var(--bad) } span.skipped { color: var(--open) } span.known, td.known { color: var(--known) }
.judged { margin: .5rem 0 } .judged div { display: flex; gap: .6rem } .judged dt { min-width: 5rem } .judged dd { margin: 0; overflow-wrap: anywhere }
:target { outline: 2px solid var(--ink); outline-offset: 2px }
td.passed { color: var(--good) } td.failed { color: var(--bad); font-weight: 700 } td.skipped, .reason { color: var(--open) }
small:not(.reason) { opacity: .8 }
button { font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: .3rem; padding: .15rem .5rem }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
@media (max-width: 40rem) { .list thead { display: none } .list td { display: inline-block; border: 0; padding: .1rem .4rem .1rem 0 } .list tr { display: block; border-bottom: 1px solid var(--line) } .list td:last-child { display: block } }
@media print { button { display: none } pre { max-height: none } }
`
