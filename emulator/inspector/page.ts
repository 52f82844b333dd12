/** The inspector's page: an empty frame for its scripts, and its style for any width, in a light and a dark scheme. */
import { type Reply, textReply } from '../http/message.js'

const policy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'"

// Addresses are relative, since each named instance has its own page.
const html = `<!doctype html>
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

export const page: Reply = textReply('text/html', html, [['content-security-policy', policy]])

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
<rect width="24" height="24" rx="6" fill="#3f5bd8"/>
<path d="M6 8h12M6 12h8M6 16h5" stroke="#fff" stroke-width="2" stroke-linecap="round"/>
<circle cx="17" cy="15.5" r="2.5" fill="#7ee2a8"/>
</svg>`

export const style = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1a2230, #e4e9f1); --muted: light-dark(#5a6678, #9aa6b6);
  --page: light-dark(#f5f6f9, #10141a); --surface: light-dark(#fff, #181d25); --soft: light-dark(#eef1f6, #212833);
  --line: light-dark(#dde2ea, #2b3340); --accent: light-dark(#3450c6, #9db1ff); --on-accent: light-dark(#fff, #10141a);
  --good: light-dark(#146c37, #78d49a); --good-soft: light-dark(#e2f4e8, #16301f);
  --bad: light-dark(#b0241c, #ff9c93); --bad-soft: light-dark(#fce8e6, #3a1a19);
  --open: light-dark(#7d5200, #f0c26b); --open-soft: light-dark(#fcf0d6, #33270f);
  --refused: light-dark(#6a3a9c, #cfaef7); --refused-soft: light-dark(#f1e8fa, #2c2139);
  --changed: light-dark(#0a6169, #6fd0d8); --changed-soft: light-dark(#def2f3, #122d30);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, 'DejaVu Sans Mono', monospace;
}
/* All sections */
* { box-sizing: border-box }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
fieldset { border: 0; padding: 0; min-width: 0 }
[hidden] { display: none !important }
html { scroll-padding-top: 7rem }
body { display: flex; flex-direction: column; min-height: 100vh; margin: 0; color: var(--ink); background: var(--page); font: 15px/1.5 system-ui, 'Segoe UI', sans-serif; -webkit-text-size-adjust: 100% }
main { max-width: 84rem; margin: 0 auto; padding: 1.25rem 1.25rem 2.5rem }
h1 { margin: 0 0 .8rem; font-size: 1.35rem; letter-spacing: -.01em }
h2 { margin: 1.2rem 0 .4rem; font-size: 1rem } h2 .muted { font-weight: 400 }
p { margin: .35rem 0 } ul, ol { margin: 0; padding: 0; list-style: none }
a { color: var(--accent); text-underline-offset: .15em }
code, pre, textarea, .path, .method, .pill, .took, time { font-family: var(--mono); font-size: .87em }
pre { margin: 0; padding: .7rem .8rem; max-height: 26rem; overflow: auto; background: var(--soft); border-radius: .4rem; line-height: 1.45; white-space: pre-wrap; overflow-wrap: anywhere }
.muted, time { color: var(--muted) } .none, .empty { color: var(--muted) } .none { font-style: italic }
.empty { padding: 2.2rem 1rem; text-align: center; border: 1px dashed var(--line); border-radius: .6rem }
.lead { max-width: 46rem; color: var(--muted); margin-bottom: .9rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .3rem }
.button, .choice, input, select, textarea { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: .4rem; background: var(--surface) }
.button { display: inline-flex; align-items: center; min-height: 2.1rem; padding: .2rem .8rem; cursor: pointer; text-decoration: none; white-space: nowrap; position: relative }
.button:hover, .choice:hover { background: var(--soft) } .button:disabled { opacity: .5; cursor: default }
.actions .button { min-width: 6.5rem; justify-content: center }
.button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600 }
.button.primary:hover { filter: brightness(1.08) }
.button.danger { color: var(--bad); border-color: color-mix(in srgb, var(--bad) 35%, var(--line)) }
.button.danger:hover { background: var(--bad-soft) }
input, select { min-height: 2.1rem; padding: .2rem .6rem; min-width: 0; max-width: 100% } input[type=checkbox] { min-height: 0; accent-color: var(--accent) }
textarea { width: 100%; padding: .6rem .7rem; font: .87em/1.5 var(--mono); resize: vertical }
label { display: inline-flex; align-items: center; gap: .4rem }
.field { min-width: 0; display: flex; flex-direction: column; align-items: stretch; gap: .15rem } .field > span { font-size: .8rem; color: var(--muted) }
.pill { display: inline-block; min-width: 2.6rem; padding: .05rem .5rem; border-radius: 1rem; text-align: center; font-weight: 600; background: var(--soft) }
.pill.good { color: var(--good); background: var(--good-soft) } .pill.bad { color: var(--bad); background: var(--bad-soft) } .pill.refused { color: var(--refused); background: var(--refused-soft) }
.tag { padding: 0 .5rem; border-radius: 1rem; font-size: .85em } .tag.bad { color: var(--bad); background: var(--bad-soft) } .tag.open { color: var(--open); background: var(--open-soft) }
.count { display: inline-block; min-width: 1.3rem; margin-left: .4rem; padding: 0 .4rem; border-radius: 1rem; font-size: .75rem; line-height: 1.3rem; text-align: center; background: var(--soft); color: var(--muted) }
.count.changed { background: var(--changed-soft); color: var(--changed) }
.method { font-weight: 600; color: var(--muted) }
.box { padding: .7rem .9rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--surface) } .box > p:first-child { margin-top: 0 } .box > p:last-child { margin-bottom: 0 }
.box.bad, .box.deviates { border-left: 3px solid var(--bad) } .box.open, .box.inconclusive { border-left: 3px solid var(--open) } .box.good, .box.conforms { border-left: 3px solid var(--good) } .box li { margin: .15rem 0 }
.actions, .toolbar, .heading { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem } .toolbar { margin-bottom: .8rem } .heading { justify-content: space-between }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: .6rem .9rem; margin-bottom: .9rem } .filters .field:first-child { flex: 1 1 14rem } .filters select { min-width: 9rem } .filters .found { margin: 0; min-height: 2.1rem; display: flex; align-items: center; gap: .7rem; color: var(--muted) } .filters > label:not(.field) { min-height: 2.1rem }
.choices, .values { display: flex; flex-wrap: wrap; gap: .4rem; margin: .6rem 0 }
.choice { padding: .15rem .7rem; min-height: 2rem; cursor: pointer } .choice[aria-pressed=true] { border-color: var(--accent); color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600 } .choice .sentence { display: block; font-size: .85rem } .choice small { font-weight: 400; color: var(--muted) }
.notices { position: fixed; inset: auto 1rem 1rem; display: flex; justify-content: center; pointer-events: none; z-index: 3 }
.notice { margin: 0; padding: .6rem 1rem; max-width: 44rem; border-radius: .5rem; color: var(--page); background: var(--ink); box-shadow: 0 .3rem 1.2rem rgb(0 0 0 / .25); overflow-wrap: anywhere; pointer-events: auto } .notice.bad { background: light-dark(#a1201a, #ffb3ac) }
#app { flex: 1 }
/* The head */
.top { position: sticky; top: 0; z-index: 2; background: var(--surface); border-bottom: 1px solid var(--line) }
.bar, .top nav { max-width: 84rem; margin: 0 auto; padding: 0 1.25rem } .bar { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem 1.2rem; padding-top: .6rem } .bar p { margin: 0 }
.brand { display: flex; align-items: center; gap: .5rem; font-size: 1.05rem } .brand img { display: block } .brand small { color: var(--muted) }
.target { display: flex; flex-wrap: wrap; gap: 0 .8rem; align-items: baseline; min-width: 0; overflow-wrap: anywhere }
.connection { display: inline-flex; align-items: center; gap: .4rem; font-size: .85rem } .connection::before { content: ''; width: .55rem; height: .55rem; border-radius: 50%; background: currentColor } .connection.good { color: var(--good) } .connection.bad { color: var(--bad) }
.bar .actions { margin-left: auto } .bar .actions .button { width: 5.8rem; min-width: 0; min-height: 1.8rem; padding-inline: .3rem; font-size: .85rem }
.top nav { display: flex; gap: .2rem; overflow-x: auto; padding-top: .3rem } .top nav a { padding: .5rem .8rem .45rem; color: var(--muted); text-decoration: none; border-bottom: 2px solid transparent; white-space: nowrap } .top nav a:hover { color: var(--ink) } .top nav a:focus-visible { outline-offset: -3px } .top nav a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent) }
/* The journal */
.calls { border: 1px solid var(--line); border-radius: .6rem; overflow: clip; background: var(--surface) } .calls:empty { display: none } .call + .call { border-top: 1px solid var(--line) } .call.open { background: color-mix(in srgb, var(--soft) 45%, var(--surface)) }
.call-row { display: grid; grid-template-columns: 7.4rem 3.4rem 4.2rem minmax(0, 1fr) 9rem 4.5rem; gap: .1rem .8rem; align-items: baseline; width: 100%; padding: .5rem .9rem; border: 0; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer } .call-row:hover { background: var(--soft) } .call-row:focus-visible { outline-offset: -3px }
.what { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap } .path { margin-left: .5rem; color: var(--muted) } .who { color: var(--muted) } .who { overflow: hidden; text-overflow: ellipsis } .took { text-align: right; color: var(--muted) }
.why { grid-column: 3 / -1; display: flex; flex-wrap: wrap; gap: .2rem .6rem; font-size: .9em; color: var(--muted) }
.detail { padding: .2rem .9rem 1rem; display: grid; gap: .8rem; min-width: 0 } .detail h2 { margin: 0 0 .3rem } .exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 1rem } .exchange > * { min-width: 0 } .line { overflow-wrap: anywhere }
.why-box { border-left: 3px solid var(--refused) }
/* The other sections */
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: .6rem; background: var(--surface) }
table { border-collapse: collapse; width: 100% } .wide th, .wide td { padding: .35rem .8rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); max-width: 22rem; overflow-wrap: break-word } .wide tr:last-child td { border-bottom: 0 } .wide th { font-size: .8rem; font-weight: 600; color: var(--muted); white-space: nowrap; background: var(--soft) }
tr.added { background: var(--good-soft) } tr.removed { background: var(--bad-soft); color: var(--muted) } tr.removed td { text-decoration: line-through } tr.removed .mark { text-decoration: none } td:has(del) { background: var(--changed-soft) } del { color: var(--muted) }
.mark { display: inline-block; margin-right: .5rem; font-size: .75rem; font-weight: 600 } .mark.added { color: var(--good) } .mark.changed { color: var(--changed) } .mark.removed { color: var(--bad) }
.list { display: grid; gap: .6rem } .faults .box p, .client .box p { display: flex; flex-wrap: wrap; gap: .4rem .6rem; align-items: baseline }
.grid-form { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15.5rem, 100%), 1fr)); gap: .8rem; align-items: end; padding: 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--surface) } .grid-form > .button { justify-self: start } summary { cursor: pointer; color: var(--muted) }
.form { display: grid; gap: .8rem; min-width: 0; padding: 1rem 1.2rem 1.2rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--surface) }
.decision { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: .2rem 1.5rem; align-items: start } .decision .values { margin: 0 } .decision h2 .muted { font-size: .85rem } .decision h2 { margin: 0; overflow-wrap: anywhere } .decision p { margin: .2rem 0 } .decision.other { border-left: 3px solid var(--accent) } .on { font-size: .9em } .open-value { display: inline-flex; align-items: end; gap: .4rem } .values { align-items: end } .values .choice { overflow-wrap: anywhere; text-align: left }
progress { display: block; width: 100%; height: .6rem; appearance: none; border: 0; border-radius: .3rem; overflow: hidden; background: var(--line) } progress::-webkit-progress-bar { background: var(--line) } progress::-webkit-progress-value { background: var(--accent) } progress::-moz-progress-bar { background: var(--accent) }
.report { width: 100%; height: 75vh; margin-top: .8rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--surface) }
/* Narrow pages */
@media (max-width: 52rem) { .decision { grid-template-columns: minmax(0, 1fr) } }
@media (max-width: 40rem) {
  main { padding: 1rem .8rem 2rem } .bar, .top nav { padding-inline: .8rem } .bar .actions { margin-left: 0 } .top { position: static }
  .call-row { grid-template-columns: auto auto 1fr auto; padding: .55rem .7rem } .call-row time { order: 3; text-align: right; grid-column: 3 / -1 } .what { order: 4; grid-column: 1 / -1; white-space: normal; overflow-wrap: anywhere } .path { display: block; margin: 0 } .who { order: 5; grid-column: 1 / 4 } .took { order: 6 } .why { order: 7; grid-column: 1 / -1 } .detail { padding-inline: .7rem }
  .top nav { flex-wrap: wrap; gap: 0 } .top nav a { padding: .4rem .6rem .35rem }
  .wide thead { display: none } .wide tr { display: block; padding: .4rem 0; border-bottom: 1px solid var(--line) } .wide tr:last-child { border-bottom: 0 } .wide td { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: 0 .6rem; padding: .1rem .8rem; border: 0; max-width: none; overflow-wrap: anywhere } .wide td::before { content: attr(data-label); color: var(--muted); font-size: .85em } .wide td > * { justify-self: start }
  .filters .field { flex: 1 1 8rem } .filters .field:first-child { flex-basis: 100% }
}
@media (prefers-reduced-motion: no-preference) { .button, .choice, .call-row { transition: background-color .12s } }
`
