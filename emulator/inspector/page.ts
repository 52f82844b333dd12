/** The inspector's page: an empty frame for its scripts, and the parts of the control plane, which need none. */
import type { Reply } from '../http/message.js'
import type { Tracker } from '../types.js'

const parts = [
  ['health', 'GET', 'Whether it is up, and its version'],
  ['profile', 'GET', 'A ready profile for tracker-kit check'],
  ['journal', 'GET', 'The last calls with their answers, and why they were refused'],
  ['events', 'GET', 'The same as it happens, as server-sent events'],
  ['state', 'GET, PUT', 'The whole state as JSON, to save and to put back'],
  ['reset', 'POST', 'Back to the starting state'],
  ['outbox', 'GET', 'What a real tracker would have mailed'],
  ['violations', 'GET', 'What the client sent that the interface does not allow'],
  ['breaches', 'GET', 'Answers of the emulator itself that break the contract'],
  ['coverage', 'GET', 'Which operations, errors and roles the client has met'],
  ['decisions', 'GET, PATCH', 'What the interface leaves open, and the value of each here'],
  ['clock', 'GET, POST', "The tracker's time, and a way to move it on"],
  ['instances', 'GET, DELETE', 'Trackers under names of their own, at /i/NAME/api/rest'],
  ['faults', 'GET, POST, DELETE', 'Answers that faults give instead of the tracker'],
  ['faults/{id}', 'DELETE', 'Removes one of them'],
  ['openapi.json', 'GET', 'The OpenAPI 3.1 document'],
] as const

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function page(tracker: Tracker, baseUrl: string): Reply {
  const rows = parts.map(([name, methods, about]) => {
    const link = methods.includes('GET') ? `<a href="${name}">${name}</a>` : name
    return `<tr><td>${link}</td><td>${methods}</td><td>${about}</td></tr>`
  })
  // Addresses are relative, since each named instance has a page of its own.
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>tracker-kit inspector</title>
<link rel="icon" href="./assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="./assets/style.css">
<script type="module" src="./assets/main.js"></script>
</head>
<body>
<div id="app"></div>
<footer>
<noscript><p>The inspector needs scripts; what is below does not.</p></noscript>
<details>
<summary>Control plane</summary>
<p>For scripts and tests, below this address. The REST root is <code>${escapeHtml(baseUrl)}</code>, the extension
<code>${escapeHtml(tracker.ext)}</code>.</p>
<table>
${rows.join('\n')}
</table>
</details>
</footer>
</body>
</html>
`
  return {
    status: 200,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['content-security-policy', policy],
    ],
    body,
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
