/** The inspector's page: an empty frame for its scripts, and a list of the control plane's routes, which needs none. */
import { type Reply, textReply } from '../http/message.js'
import { methodOf, pathOf, type Route } from '../http/routes.js'
import type { Tracker } from '../types.js'

const allowed = ['script-src', 'style-src', 'img-src', 'connect-src']
const forbidden = ['default-src', 'base-uri', 'form-action', 'frame-ancestors']
const policy = [
  ...forbidden.map((name) => `${name} 'none'`),
  ...allowed.map((name) => `${name} 'self'`),
].join('; ')

/** Lists the routes that have a description. */
export function page(tracker: Tracker, baseUrl: string, routes: readonly Route[]): Reply {
  const rows = routes.flatMap((one) => {
    if (one.meaning === null) return []
    const [method, path] = [methodOf(one), pathOf(one)]
    const link = method === 'GET' ? `<a href="${path}">${path}</a>` : path
    const meaning = escapeHtml(one.meaning).replace(/`([^`]*)`/g, '<code>$1</code>')
    return `<tr><td>${link}</td><td>${method}</td><td>${meaning}</td></tr>`
  })
  // Addresses are relative, since each named instance has its own page.
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
  return textReply('text/html', body, [['content-security-policy', policy]])
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
