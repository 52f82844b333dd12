/** The report of a comparison as one page that needs nothing else. */
import { type DiffReport, overall, percent, type Shares } from './diff.js'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)
const json = (value: unknown) => escaped(JSON.stringify(value, null, 2) ?? '')

export function diffHtml({
  target,
  seed,
  calls,
  total,
  operations,
  differences,
  incomplete,
}: DiffReport): string {
  const row = (name: string, { status, code, errorBody, shape }: Shares) =>
    `<tr><th scope="row">${escaped(name)}</th>${[status, code, errorBody, shape].map((share) => `<td${share.equal < share.of ? ' class="less"' : ''}>${percent(share)}</td>`).join('')}</tr>`
  const difference = ({
    operation,
    respect,
    count,
    request,
    target: theirs,
    emulator,
    explainedBy,
  }: DiffReport['differences'][number]) => `<section>
<h3>${operation}: ${respect} <small>${count} calls</small></h3>
<p>As ${escaped(request.as)}${explainedBy.map(({ decision, value }) => `; with <code>${decision}</code> ${json(value)} it would agree`).join('')}</p>
<pre>${json({ path: request.path, query: request.query, body: request.body })}</pre>
<div class="both"><pre>target ${theirs.status}\n${json(theirs.body)}</pre><pre>emulator ${emulator.status}\n${json(emulator.body)}</pre></div>
</section>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>tracker-kit diff ${escaped(target.baseUrl)}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1c2329; background: #fff }
table { border-collapse: collapse } th, td { padding: .2rem .8rem; border-bottom: 1px solid #d8dee4; text-align: right } th[scope=row] { text-align: left; font-weight: 400 }
.less { color: #a40e26; font-weight: 600 } pre { background: #f4f6f8; padding: .6rem; overflow: auto; max-height: 20rem; margin: .3rem 0 } .both { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem } small { color: #57606a }
</style></head><body>
<h1>${escaped(target.baseUrl)} and the emulator</h1>
<p>${calls} calls, seed ${seed}, agreement ${(100 * overall(total)).toFixed(2)} %${incomplete === undefined ? '' : `. Incomplete: ${escaped(incomplete)}`}</p>
<table><thead><tr><th></th><th>status</th><th>code</th><th>error body</th><th>shape</th></tr></thead>
<tbody>${Object.entries(operations)
    .map(([name, shares]) => row(name, shares))
    .join('\n')}</tbody>
<tfoot>${row('total', total)}</tfoot></table>
<h2>${differences.length === 0 ? 'No differences' : `${differences.length} differences`}</h2>
${differences.map(difference).join('\n')}
</body></html>
`
}
