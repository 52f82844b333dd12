/** The failures in `report.html`: one card for each group of failures that look alike, with all that a reader needs. */
import { type Alike, alike, groupBy, moreOf } from './alike.js'
import { againOf, judgedRows, replayOf, stepText, witnessLines } from './evidence.js'
import { block, requestText, responseText, text } from './html-page.js'
import type { Report, ReportFailure } from './report.js'

/** How many cards are open at the start. */
const OPEN = 3

export type Cards = ReturnType<typeof cardsOf>

/** The groups, those in the baseline last. `anchorOf` returns the anchor of the card that shows a failure. */
export function cardsOf(report: Report) {
  const groups = alike(report)
  const anchors = new Map(
    groups.flatMap(({ first, rest }, index) =>
      [first, ...rest].map((one) => [one, `failure-${index + 1}`] as const),
    ),
  )
  return { groups, anchorOf: (failure: ReportFailure) => anchors.get(failure) ?? 'failures' }
}

export function failures({ groups, anchorOf }: Cards): string {
  if (groups.length === 0) return ''
  const cards = groups.map((group, index) =>
    card(group, anchorOf(group.first), index < OPEN && !group.first.known),
  )
  return `<section id="failures"><h2>Failures</h2>
${cards.join('\n')}
</section>`
}

function card(group: Alike, anchor: string, open: boolean): string {
  const { first, operations } = group
  const more = moreOf(group)
  const others =
    more === null
      ? ''
      : `<details class="alike"><summary>${text(more)}</summary>
${groupBy(group.rest, ({ requirement, message }) => [requirement, message])
  .map(other)
  .join('\n')}
</details>`
  // The anchor is inside, since a browser opens the elements around the target of a link.
  return `<details class="failure"${open ? ' open' : ''}>
${summary(first, operations)}
<p class="message" id="${anchor}">${text(first.message)}</p>
${about(first)}
${stepsOf(first)}
${witnessLines(first)
  .map((line) => `<p>${text(line)}</p>`)
  .join('\n')}
${first.request ? block('Request', requestText(first.request)) : ''}
${first.response ? block('Response', responseText(first.response)) : ''}
${again(first)}
${block('Replay the check', replayOf(first), true)}
${others}
</details>`
}

/** Failures of a group other than its first: their requirement and message, and a one-line command to reproduce them. */
function other(group: readonly ReportFailure[]): string {
  const [first] = group
  if (!first) return ''
  return `<details class="failure">
${summary(first, [...new Set(group.map(({ operation }) => operation))])}
<p class="message">${text(first.message)}</p>
${about(first)}
${block('Replay the check', replayOf(first), true)}
</details>`
}

function summary({ requirement, level, known }: ReportFailure, operations: readonly string[]): string {
  const names = operations.map((name) => `<code>${text(name)}</code>`).join(' ')
  const tag = known ? ' <span class="tag">in the baseline</span>' : ''
  return `<summary><code>${text(requirement)}</code> <span class="tag">${level}</span>${tag} ${names}</summary>`
}

function about(failure: ReportFailure): string {
  const { statement, section, reason } = failure
  const rows = judgedRows(failure).map(
    ([name, value]) => `<div><dt>${name}</dt><dd><code>${text(value)}</code></dd></div>`,
  )
  return [
    `<p>Section ${text(section)}: ${text(statement)}</p>`,
    ...(reason === undefined ? [] : [`<p>${text(`in the baseline: ${reason}`)}</p>`]),
    ...(rows.length === 0 ? [] : [`<dl class="judged">${rows.join('')}</dl>`]),
  ].join('\n')
}

function stepsOf({ steps }: ReportFailure): string {
  if (steps.length === 0) return ''
  const items = steps.map(
    (step) => `<li><details><summary><code>${text(stepText(step))}</code></summary>
<pre>${text(requestText({ ...step.request, headers: {} }))}</pre><pre>${text(responseText({ ...step.response, headers: {} }))}</pre></details></li>`,
  )
  return `<h3>What led to it</h3><ol class="steps">
${items.join('\n')}</ol>`
}

function again(failure: ReportFailure): string {
  const found = againOf(failure)
  if (found === null) return ''
  return block(`${found.title.slice(0, 1).toUpperCase()}${found.title.slice(1)}`, found.line, true)
}
