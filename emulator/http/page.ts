/** The page at the root of the control plane, until there is a real inspector. */
import type { Tracker } from '../types.js'

const links = [
  ['health', 'GET', 'Is it there, and which version is it'],
  ['profile', 'GET', 'A ready profile for tracker-kit check'],
  ['journal', 'GET', 'The last calls with their answers, and why they were refused'],
  ['state', 'GET, PUT', 'The whole state as JSON, to save and to put back'],
  ['reset', 'POST', 'Back to the starting state'],
  ['outbox', 'GET', 'What a real tracker would have mailed'],
  ['violations', 'GET', 'What the client sent that the interface does not allow'],
  ['breaches', 'GET', 'Answers of the emulator itself that break the contract'],
  ['coverage', 'GET', 'Which operations, errors and roles the client has met'],
  ['decisions', 'GET', 'What the interface leaves open, as it is decided here'],
  ['clock', 'GET, POST', "The tracker's time, and a way to move it on"],
  ['instances', 'GET, DELETE', 'Trackers under names of their own, at /i/NAME/api/rest'],
  ['faults', 'GET, POST, DELETE', 'Answers that are given in the place of the tracker'],
  ['openapi.json', 'GET', 'The OpenAPI 3.1 document'],
] as const

export function page(tracker: Tracker, baseUrl: string): string {
  const rows = links.map(([name, methods, about]) => {
    const link = methods.includes('GET') ? `<a href="${name}">${name}</a>` : name
    return `<tr><td>${link}</td><td>${methods}</td><td>${about}</td></tr>`
  })
  const varied = tracker.vary === null ? '' : `<p>Decisions drawn by the number ${tracker.vary}.</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>tracker-kit</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
td { padding: .2rem 1.5rem .2rem 0; vertical-align: top }
</style>
</head>
<body>
<h1>tracker-kit</h1>
<p>An emulated tracker. Its REST root is <code>${escapeHtml(baseUrl)}</code>, its extension
<code>${escapeHtml(tracker.ext)}</code>.</p>
${varied}
<table>
${rows.join('\n')}
</table>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
