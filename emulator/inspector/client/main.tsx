/** The inspector: one section at a time, by the fragment of the address. */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Overview } from '../views.js'
import { ClientSection } from './client.js'
import { DecisionsSection } from './decisions.js'
import type { ActiveFaults } from './faults.js'
import { FaultsSection } from './faults.js'
import { Header, type Section, sections } from './header.js'
import { JournalSection } from './journal.js'
import { connect, useFetched, useLive } from './live.js'
import { Send } from './send.js'
import { StateSection } from './state.js'
import { SuiteSection } from './suite.js'
import { Empty, Notices } from './ui.js'

/** `#decisions/wrong-method`: the section, and what is meant in it. */
function readPlace(): { section: Section; detail: string } {
  const [name = '', ...rest] = location.hash.slice(1).split('/')
  const section = Object.hasOwn(sections, name) ? (name as Section) : 'journal'
  return { section, detail: decodeURIComponent(rest.join('/')) }
}

function App() {
  const [place, setPlace] = useState(readPlace)
  const live = useLive()
  const { data: overview } = useFetched<Overview>('inspector/overview', live.session)
  const { data: faults } = useFetched<ActiveFaults>('faults', live.changes)
  useEffect(() => {
    const follow = () => setPlace(readPlace())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const { section, detail } = place
  useEffect(() => {
    document.title = `${sections[section]} · tracker-kit`
  }, [section])
  return (
    <>
      <Header
        overview={overview}
        connected={live.connected}
        session={live.session}
        section={section}
        counts={{ journal: live.calls.length, faults: faults?.length ?? 0 }}
      />
      <main>
        {overview && section === 'journal' && <JournalSection calls={live.calls} overview={overview} />}
        {overview && section === 'state' && <StateSection revision={live.revision} overview={overview} />}
        {overview && section === 'send' && (
          <Send key={detail} chosen={detail} calls={live.calls} overview={overview} session={live.session} />
        )}
        {overview && section === 'faults' && (
          <FaultsSection faults={faults ?? []} fields={overview.faultFields} />
        )}
        {overview && section === 'decisions' && (
          <DecisionsSection wanted={detail} revision={live.changes} operations={overview.operations} />
        )}
        {section === 'client' && <ClientSection revision={live.revision} />}
        {section === 'suite' && live.suite && <SuiteSection status={live.suite} />}
        {section === 'suite' && overview?.suite === false && (
          <Empty>The suite comes with tracker-kit serve; this server was started without it.</Empty>
        )}
      </main>
      <Notices />
    </>
  )
}

connect()
const root = document.getElementById('app')
if (root) render(<App />, root)
