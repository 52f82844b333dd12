/**
 * `report.html`: one file that stands alone and can be read from disk. It is whole without scripts; the one script in
 * it filters and copies, and nothing else may run.
 */
import { documentedStatuses, operations } from '../contract/index.js'
import { alike, groupBy, moreOf } from './alike.js'
import { needsOf, npx, replayOf, restText } from './commands.js'
import { script } from './html-assets.js'
import { htmlPage, text } from './html-page.js'
import { condensed } from './leftovers.js'
import { mistakesText } from './mistakes.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'
import { isPart, reasonsOf, unjudgedText } from './skipped.js'
import { seedText, verdictSentence, verdictWord } from './text.js'

export function html(report: Report): string {
  const { target } = report
  const body = `${header(report)}
<main>
${failures(report)}
${mistakes(report)}
${unjudged(report)}
${matrix(report)}
${requirements(report)}
${observations(report)}
${leftovers(report)}
</main>`
  return htmlPage(`${verdictWord(report)}: ${target.baseUrl}`, body, script)
}

function header(report: Report): string {
  const { target, summary, startedAt, durationMs, safety } = report
  const counts = (['must', 'should'] as const).map((level) => {
    const { passed, failed, skipped } = summary[level]
    return `<li><b>${level}</b> ${passed} passed, ${failed} failed, ${skipped} skipped</li>`
  })
  const seconds = (durationMs / 1000).toFixed(1)
  return `<header class="${summary.verdict}${isPart(report) ? ' part' : ''}">
<p class="verdict">${text(verdictWord(report))}</p>
<h1>${text(target.baseUrl)} ${text(verdictSentence(report))}</h1>
<ul class="facts">${counts.join('')}
<li>${summary.requests} requests in ${seconds} s</li>
<li>safety ${safety}, ${seedText(report)}, extension ${text(target.ext)}</li>
<li><time datetime="${startedAt}">${startedAt}</time></li></ul>
</header>`
}

/** Failures that are unfolded from the start. */
const OPEN = 3

/** One block for each group of failures that look alike. What is in the baseline comes last and folded. */
function failures(report: Report): string {
  if (report.failures.length === 0) return ''
  const blocks = alike(report).map((group, index) => {
    const more = moreOf(group)
    const inner =
      more === null
        ? ''
        : `<details class="alike"><summary>${text(more)}</summary>
${samples(group.rest)
  .map((same) => failureBlock(same, false))
  .join('\n')}
</details>`
    return failureBlock([group.first], index < OPEN && !group.first.known, {
      operations: group.operations,
      inner,
    })
  })
  return `<section id="failures"><h2>Failures</h2>
${blocks.join('\n')}
</section>`
}

/** One block for each requirement and message; the operations that share it stand in its head. */
const samples = (all: readonly ReportFailure[]) =>
  groupBy(all, ({ requirement, message }) => [requirement, message])

interface Around {
  /** Instead of those of the failures. */
  readonly operations: readonly string[]
  /** Markup that stands at the end. */
  readonly inner: string
}

function failureBlock(group: readonly ReportFailure[], open: boolean, around?: Around): string {
  const [first] = group
  if (!first) return ''
  const { requirement, level, message, request, response, curl, known, reason } = first
  const names = around?.operations ?? [...new Set(group.map(({ operation }) => operation))]
  const needs = curl === null ? '' : needsOf(curl)
  return `<details class="failure"${open ? ' open' : ''}>
<summary><code>${text(requirement)}</code> <span class="tag">${level}</span>${known ? ' <span class="tag">in the baseline</span>' : ''} ${names.map((name) => `<code>${text(name)}</code>`).join(' ')}</summary>
<p class="message">${text(message)}</p>${reason === undefined ? '' : `\n<p>${text(`in the baseline: ${reason}`)}</p>`}
${request ? block('Request', `${request.method} ${request.url}\n${lines(request.headers)}${bodyOf(request.body)}`) : ''}
${response ? block('Response', `${response.status}\n${lines(response.headers)}${bodyOf(response.body)}`) : ''}
${curl ? block(needs === '' ? 'Try it' : `Try it, ${needs}`, curl, true) : ''}
${block('Replay the check', replayOf(first), true)}
${around?.inner ?? ''}
</details>`
}

function mistakes({ profile }: Report): string {
  if (profile.length === 0) return ''
  const blocks = profile.map(
    ({ field, words, request, response }) => `<details class="failure">
<summary><code>${text(field)}</code></summary>
<p class="message">${text(words)}</p>
${request ? block('Request', `${request.method} ${request.url}\n${lines(request.headers)}${bodyOf(request.body)}`) : ''}
${response ? block('Response', `${response.status}\n${lines(response.headers)}${bodyOf(response.body)}`) : ''}
</details>`,
  )
  return `<section id="profile"><h2>${mistakesText}</h2>
${blocks.join('\n')}</section>`
}

function unjudged(report: Report): string {
  const what = unjudgedText(report)
  if (what === null) return ''
  const rows = reasonsOf(report).map(
    ({ text: reason, count, named }) =>
      `<tr><td>${count}</td><td>${text(reason)}</td><td>${text(named)}</td></tr>`,
  )
  const { rest } = report
  return `<section id="unjudged"><h2>Not judged</h2>
<p>${text(what)}.</p>
<div class="wide"><table><thead><tr><th>Requirements</th><th>Because</th><th>Which</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
${rest === null ? '' : block(restText, npx(rest), true)}</section>`
}

function block(title: string, content: string, copy = false): string {
  const button = copy ? '<button type="button" data-copy>Copy</button>' : ''
  return `<h3>${title} ${button}</h3><pre>${text(content)}</pre>`
}

const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')

const bodyOf = (body: unknown) =>
  body === null ? '' : `\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}`

function matrix({ statuses, failures: all }: Report): string {
  const seen = Object.values(statuses).flatMap((row) => Object.keys(row ?? {}).map(Number))
  if (seen.length === 0) return ''
  const columns = [...new Set([...documentedStatuses, ...seen])].sort((a, b) => a - b)
  const failed = new Set(all.map(({ operation }) => operation))
  const head = columns.map((status) => {
    const documented = documentedStatuses.includes(status)
    return `<th scope="col"${documented ? '' : ' class="bad"'}>${status}</th>`
  })
  const rows = operations.map(({ id, number, method }) => {
    const cells = columns.map((status) => {
      const count = statuses[id]?.[status]
      const bad = count !== undefined && !documentedStatuses.includes(status)
      return `<td${bad ? ' class="bad"' : ''}>${count ?? ''}</td>`
    })
    const name = `${number} ${method} <code>${id}</code>`
    return `<tr${failed.has(id) ? ' class="failed"' : ''}><th scope="row">${name}</th>${cells.join('')}</tr>`
  })
  return `<section id="answers"><h2>Answers</h2>
<p>How often each operation gave each status. The document lists ${documentedStatuses.join(', ')}.</p>
<div class="wide"><table class="matrix"><thead><tr><th scope="col">Operation</th>${head.join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></section>`
}

function requirements({ requirements: all }: Report): string {
  const sections = [...new Set(all.map(({ section }) => section))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  const groups = sections.map((section) => {
    const rows = all.filter((one) => one.section === section).map(row)
    return `<tbody><tr class="section"><th colspan="4" scope="rowgroup">Section ${text(section)}</th></tr>
${rows.join('\n')}</tbody>`
  })
  const choice = (value: string) => `<option>${value}</option>`
  return `<section id="requirements"><h2>Requirements</h2>
<form class="filter"><label>Search <input type="search" name="search"></label>
<label>Outcome <select name="outcome"><option value="">all</option>${['failed', 'passed', 'skipped'].map(choice).join('')}</select></label>
<label>Level <select name="level"><option value="">all</option>${['must', 'should'].map(choice).join('')}</select></label>
<output name="count"></output></form>
<div class="wide"><table class="list"><thead><tr><th>Outcome</th><th>Level</th><th>Requirement</th><th>Statement</th></tr></thead>
${groups.join('\n')}</table></div></section>`
}

function row({ id, level, outcome, statement, operations: names, reason }: ReportRequirement): string {
  const shown = names.length === operations.length ? 'all operations' : names.join(', ')
  return `<tr data-outcome="${outcome}" data-level="${level}"><td class="${outcome}">${outcome}</td><td>${level}</td>
<td><code>${text(id)}</code></td><td>${text(statement)} <small>${text(shown)}</small>${reason ? `<br><small class="reason">${text(reason)}</small>` : ''}</td></tr>`
}

function observations({ observations: all }: Report): string {
  if (all.length === 0) return ''
  const rows = [...all]
    .sort((a, b) => a.decision.localeCompare(b.decision))
    .map(
      ({ decision, operation, value }) =>
        `<tr><td><code>${text(decision)}</code></td><td><code>${text(operation)}</code></td><td>${text(value)}</td></tr>`,
    )
  return `<section id="observations"><h2>Observed</h2>
<p>What the document leaves open, and what this tracker does. None of it counts against it.</p>
<div class="wide"><table class="list"><thead><tr><th>Decision</th><th>Operation</th><th>Seen</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></section>`
}

function leftovers({ leftovers: all }: Report): string {
  if (all.length === 0) return ''
  return `<section id="leftovers"><h2>Left on the tracker</h2>
<ul>${condensed(all)
    .map((leftover) => `<li>${text(leftover)}</li>`)
    .join('')}</ul></section>`
}
