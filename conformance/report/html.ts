/** `report.html`: one file that stands alone. */
import type { Report, ReportFailure } from './report.js'
import { verdictSentence } from './text.js'

export function html(report: Report): string {
  const rows = report.requirements.map(
    ({ id, level, section, statement, outcome, reason }) =>
      `<tr class="${outcome}"><td>${section}</td><td>${level}</td><td><code>${text(id)}</code></td><td>${text(statement)}</td><td>${outcome}${reason ? `: ${text(reason)}` : ''}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${text(report.target.baseUrl)} ${text(report.summary.verdict)}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
td { padding: .2rem .8rem .2rem 0; vertical-align: top }
tr.failed { font-weight: bold }
tr.skipped { opacity: .6 }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body>
<h1>${text(report.target.baseUrl)} ${text(verdictSentence(report))}</h1>
${report.failures.map(failureBlock).join('\n')}
<table>
${rows.join('\n')}
</table>
</body>
</html>
`
}

function failureBlock(failure: ReportFailure): string {
  const { requirement, operation, message, curl, replay, response } = failure
  return `<section>
<h2>${text(requirement)} (${text(operation)})</h2>
<p>${text(message)}</p>
<pre>${text([curl, JSON.stringify(response, null, 2), replay].filter(Boolean).join('\n\n'))}</pre>
</section>`
}

function text(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
