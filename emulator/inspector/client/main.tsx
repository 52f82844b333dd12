/** The inspector: one section at a time, according to the fragment of the address. */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Overview } from '../views.js'
import { ClientSection } from './client.js'
import { DecisionsSection } from './decisions.js'
import { FaultsSection } from './faults.js'
import { Header } from './header.js'
import { JournalSection } from './journal.js'
import { connect, useFetched, useLive } from './live.js'
import { StateSection } from './state.js'
import { SuiteSection } from './suite.js'
import { Notices } from './ui.js'

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

function App() {
  const [{ name, detail }, setPlace] = useState(readPlace)
  const live = useLive()
  const { data: overview } = useFetched<Overview>('inspector/overview', live.changes)
  useEffect(() => {
    const follow = () => setPlace(readPlace())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const [title, View] = sections[name]
  useEffect(() => {
    document.title = `${title} · tracker-kit`
  }, [title])
  return (
    <>
      <Header overview={overview} live={live} sections={sections} current={name} />
      <main>{overview && <View live={live} overview={overview} detail={detail} />}</main>
      <Notices />
    </>
  )
}

connect()
const root = document.getElementById('app')
if (root) render(<App />, root)
