/** The report of a comparison as one page that loads no other file. */
import { type DiffReport, overall, percent, type Shares } from './diff.js'

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const json = (value: unknown) => escaped(JSON.stringify(value, null, 2) ?? '')

type Difference = DiffReport['differences'][number]

const calls = (count: number) => `${count} ${count === 1 ? 'call' : 'calls'}`
const cureOf = ({ decision, value }: Difference['explainedBy'][number]) =>
  `<code>${decision}</code> ${json(value)}`

/** Renders one answer line by line and marks the lines that the other answer lacks. */
function side(title: string, own: Difference['target'], other: Difference['target']): string {
  const linesOf = ({ status, body }: Difference['target']) => [
    `${status}`,
    ...(JSON.stringify(body, null, 2) ?? '').split('\n'),
  ]
  const bare = (line: string) => line.replace(/,$/, '')
  const others = new Set(linesOf(other).map(bare))
  const lines = linesOf(own).map((line) =>
    others.has(bare(line)) ? escaped(line) : `<mark>${escaped(line)}</mark>`,
  )
  return `<figure><figcaption>${title}</figcaption><pre>${lines.join('\n')}</pre></figure>`
}

function differenceHtml({ respect, count, request, target, emulator, explainedBy }: Difference): string {
  const { as, exchange, ...sent } = request
  const cure = explainedBy.map(cureOf)
  return `<section><h3>${respect} <small>${calls(count)} as ${escaped(as)}, exchange ${exchange}</small></h3>
${cure.length === 0 ? '' : `<p>It would agree with ${cure.join(', or with ')}.</p>`}
<pre>${json(sent)}</pre>
<div class="both">${side('target', target, emulator)}${side('emulator', emulator, target)}</div></section>`
}

/** How many calls a change of one decision would make equal; the largest numbers come first. */
function cures(differences: readonly Difference[]): [cure: string, count: number][] {
  const found = new Map<string, number>()
  for (const { explainedBy, count } of differences)
    for (const cure of explainedBy.map(cureOf)) found.set(cure, (found.get(cure) ?? 0) + count)
  return [...found].sort(([, a], [, b]) => b - a)
}

export function diffHtml(report: DiffReport): string {
  const { target, seed, total, operations, differences, incomplete } = report
  const row = (name: string, shares: Shares) =>
    `<tr><th scope="row">${name}</th>${Object.values(shares)
      .map((share) => `<td${share.equal < share.of ? ' class="less"' : ''}>${percent(share)}</td>`)
      .join('')}</tr>`
  const mended = cures(differences)
  const ofOperation = (name: string) => differences.filter(({ operation }) => operation === name)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>tracker-kit diff ${escaped(target.baseUrl)}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1c2329; background: #fff }
table { border-collapse: collapse } th, td { padding: .2rem .8rem; border-bottom: 1px solid #d8dee4; text-align: right } th[scope=row] { text-align: left; font-weight: 400 }
.less { color: #a40e26; font-weight: 600 } pre { background: #f4f6f8; padding: .6rem; overflow: auto; max-height: 20rem; margin: .3rem 0 } mark { background: #ffe2e0; color: inherit }
.both { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem } figure { margin: 0; min-width: 0 } figcaption, small { color: #57606a; font-weight: 400 }
</style></head><body>
<h1>${escaped(target.baseUrl)} and the emulator</h1>
<p>${calls(report.calls)}, seed ${seed}, agreement ${(100 * overall(total)).toFixed(2)} %${incomplete === undefined ? '' : `. Incomplete: ${escaped(incomplete)}`}</p>
<table><thead><tr><th></th><th>status</th><th>code</th><th>errorBody</th><th>shape</th></tr></thead>
<tbody>${Object.entries(operations)
    .map(([name, shares]) =>
      row(ofOperation(name).length === 0 ? name : `<a href="#${name}">${name}</a>`, shares),
    )
    .join('\n')}</tbody>
<tfoot>${row('total', total)}</tfoot></table>
${mended.length === 0 ? '' : `<h2>What one decision would mend</h2>\n<ul>${mended.map(([cure, count]) => `<li>${cure}: ${calls(count)}</li>`).join('\n')}</ul>`}
${differences.length === 0 ? '<h2>No differences</h2>' : ''}
${Object.keys(operations)
  .filter((name) => ofOperation(name).length > 0)
  .map((name) => `<h2 id="${name}">${name}</h2>\n${ofOperation(name).map(differenceHtml).join('\n')}`)
  .join('\n')}
</body></html>
`
}
