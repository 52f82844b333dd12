/** The failures in `report.html`: one card for each group of failures that look alike, with all that a reader needs. */
import { type Alike, alike, groupBy, moreOf } from './alike.js'
import { againOf, judgedRows, npx, stepText, witnessLines } from './evidence.js'
import { block, code, markup, requestText, responseText, section, text } from './html-page.js'
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
  const cards = groups.map((group, index) =>
    card(group, anchorOf(group.first), index < OPEN && !group.first.known),
  )
  return section('failures', 'Failures', cards)
}

/** A card without an anchor is inside another one. It has no requests and answers. */
function card(group: Alike, anchor: string | null, isOpen = false): string {
  const { first, operations } = group
  const { requirement, level, known, message, reason } = first
  const names = operations.map(code).join(' ')
  const tags = [level, ...(known ? ['in the baseline'] : [])].map((tag) => `<span class="tag">${tag}</span>`)
  const rows = judgedRows(first).map(([name, value]) => `<div><dt>${name}</dt><dd>${code(value)}</dd></div>`)
  return markup(
    `<details class="failure"${isOpen ? ' open' : ''}>`,
    `<summary>${code(requirement)} ${tags.join(' ')} ${names}</summary>`,
    // The anchor is inside, since a browser opens the elements around the target of a link.
    `<p class="message"${anchor === null ? '' : ` id="${anchor}"`}>${text(message)}</p>`,
    `<p>Section ${text(first.section)}: ${text(first.statement)}</p>`,
    reason !== undefined && `<p>${text(`in the baseline: ${reason}`)}</p>`,
    rows.length > 0 && `<dl class="judged">${rows.join('')}</dl>`,
    anchor !== null && evidence(first),
    block('Replay the check', npx(first.replay), true),
    others(group),
    '</details>',
  )
}

function evidence(failure: ReportFailure): string {
  const { request, response, steps } = failure
  const again = againOf(failure)
  const items = steps.map(
    (step) => `<li><details><summary>${code(stepText(step))}</summary>
<pre>${text(requestText({ ...step.request, headers: {} }))}</pre><pre>${text(responseText({ ...step.response, headers: {} }))}</pre></details></li>`,
  )
  return markup(
    items.length > 0 && `<h3>What led to it</h3><ol class="steps">\n${items.join('\n')}</ol>`,
    ...witnessLines(failure).map((line) => `<p>${text(line)}</p>`),
    request !== null && block('Request', requestText(request)),
    response !== null && block('Response', responseText(response)),
    again !== null &&
      block(
        again.title.replace(/^./, (letter) => letter.toUpperCase()),
        again.line,
        true,
      ),
  )
}

/** The other failures of a group, one card for those with the same message. */
function others(group: Alike): string {
  const cards = groupBy(group.rest, ({ requirement, message }) => [requirement, message]).flatMap((alike) => {
    const [first] = alike
    const operations = [...new Set(alike.map(({ operation }) => operation))]
    return first === undefined ? [] : card({ first, operations, rest: [] }, null)
  })
  const more = moreOf(group)
  return more === null
    ? ''
    : markup(`<details class="alike"><summary>${text(more)}</summary>`, ...cards, '</details>')
}
