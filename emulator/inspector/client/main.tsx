/** The inspector: one section at a time, according to the fragment of the address. */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Overview } from '../views.js'
import { ClientSection } from './client.js'
import { DecisionsSection } from './decisions.js'
import { FaultsSection } from './faults.js'
import { Header, type SectionName, titles } from './header.js'
import { JournalSection } from './journal.js'
import { connect, useFetched, useLive } from './live.js'
import { StateSection } from './state.js'
import { SuiteSection } from './suite.js'
import { Notices } from './ui.js'

const views = {
  journal: JournalSection,
  state: StateSection,
  faults: FaultsSection,
  decisions: DecisionsSection,
  client: ClientSection,
  suite: SuiteSection,
} as const

/** `#decisions/wrong-method`: the section, and the item in it. */
function readPlace(): { name: SectionName; detail: string } {
  const [name = '', ...rest] = location.hash.slice(1).split('/')
  return {
    name: Object.hasOwn(views, name) ? (name as SectionName) : 'journal',
    detail: decodeURIComponent(rest.join('/')),
  }
}

function App() {
  const [{ name, detail }, setPlace] = useState(readPlace)
  const live = useLive()
  const { data: overview } = useFetched<Overview>('inspector/overview', live.session)
  useEffect(() => {
    const follow = () => setPlace(readPlace())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    document.title = `${titles[name]} · tracker-kit`
  }, [name])
  const View = views[name]
  return (
    <>
      <Header overview={overview} live={live} section={name} />
      <main>{overview && <View live={live} overview={overview} detail={detail} />}</main>
      <Notices />
    </>
  )
}

connect()
const root = document.getElementById('app')
if (root) render(<App />, root)
