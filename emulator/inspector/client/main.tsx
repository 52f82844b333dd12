/** The inspector: one section at a time, according to the fragment of the address. */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Overview } from '../routes.js'
import { ClientSection } from './client.js'
import { DecisionsSection } from './decisions.js'
import { type ActiveFaults, FaultsSection } from './faults.js'
import { JournalSection } from './journal.js'
import { ask, connect, type Live, useFetched, useLive } from './live.js'
import { StateSection } from './state.js'
import { SuiteSection } from './suite.js'
import { Button, Notices, notify } from './ui.js'

const sections = {
  journal: ['Journal', JournalSection],
  state: ['State', StateSection],
  faults: ['Faults', FaultsSection],
  decisions: ['Decisions', DecisionsSection],
  client: ['Client', ClientSection],
  suite: ['Conformance', SuiteSection],
} as const

/** `#decisions/wrong-method`: the section, and the item in it. */
function readPlace() {
  const [name = '', ...rest] = location.hash.slice(1).split('/')
  return {
    name: Object.hasOwn(sections, name) ? (name as keyof typeof sections) : 'journal',
    detail: decodeURIComponent(rest.join('/')),
  }
}

/** The head of the page: which tracker it is, whether the page is connected, and the links to the sections. */
function Header({ overview, live, current }: { overview: Overview | null; live: Live; current: string }) {
  const { data: faults } = useFetched<ActiveFaults>('faults', live.changes)
  const counts: Partial<Record<string, number>> = { journal: live.calls.length, faults: faults?.length ?? 0 }
  return (
    <header class="top">
      <div class="bar">
        <p class="brand">
          <img src="./assets/icon.svg" alt="" width="24" height="24" />
          <b>tracker-kit</b> <small>{overview?.version}</small>
        </p>
        {overview && (
          <p class="target">
            <code>{overview.baseUrl}</code>
            <span class="muted">
              extension <code>{overview.ext}</code>
              {overview.vary === null ? '' : `, decisions drawn by ${overview.vary}`}
              {overview.isTwin && ', a twin of another tracker'}
            </span>
          </p>
        )}
        <p class={`connection ${live.connected ? 'good' : 'bad'}`} role="status">
          {live.connected ? 'Live' : 'Connecting…'}
        </p>
        <div class="actions">
          <Button label="Reset" onClick={reset} tone="danger" title="Back to the starting state" />
        </div>
      </div>
      <nav aria-label="Sections">
        {Object.entries(sections)
          .filter(([name]) => name !== 'suite' || overview?.suite)
          .map(([name, [title]]) => (
            <a key={name} href={`#${name}`} aria-current={name === current ? 'page' : undefined}>
              {title}
              {counts[name] ? <span class="count">{counts[name]}</span> : null}
            </a>
          ))}
      </nav>
    </header>
  )
}

async function reset(): Promise<void> {
  await ask('POST', 'reset')
  notify('Reset to the starting state')
}

function App() {
  const [{ name, detail }, setPlace] = useState(readPlace)
  const live = useLive()
  const { data: overview } = useFetched<Overview>('inspector/overview', live.changes)
  useEffect(() => addEventListener('hashchange', () => setPlace(readPlace())), [])
  const [title, View] = sections[name]
  useEffect(() => {
    document.title = `${title} · tracker-kit`
  }, [title])
  return (
    <>
      <Header overview={overview} live={live} current={name} />
      <main>
        <section class={name} aria-labelledby="title">
          <h1 id="title">{title}</h1>
          {overview && <View key={detail} live={live} overview={overview} detail={detail} />}
        </section>
      </main>
      <Notices />
    </>
  )
}

connect()
const root = document.getElementById('app')
if (root) render(<App />, root)
