/** The inspector's page: an empty frame for its scripts. */
import { type Reply, textReply } from '../http/message.js'

const policy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'"

export function page(): Reply {
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
<noscript><p>The inspector needs scripts; the other addresses of the control plane need none.</p></noscript>
</body>
</html>
`
  return textReply('text/html', body, [['content-security-policy', policy]])
}
