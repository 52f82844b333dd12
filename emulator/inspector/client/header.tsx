/** The head of the page: which tracker it is, whether the page is connected, and the links to the sections. */
import type { Overview } from '../views.js'
import type { ActiveFaults } from './faults.js'
import { ask, type Live, useFetched } from './live.js'
import { Button, CopyButton, notify } from './ui.js'

interface HeaderProps {
  overview: Overview | null
  live: Live
  /** The sections by name; each begins with its title. */
  sections: Readonly<Record<string, readonly [title: string, ...unknown[]]>>
  current: string
}

export function Header({ overview, live, sections, current }: HeaderProps) {
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
          {overview && <CopyButton label="Copy URL" text={() => overview.baseUrl} />}
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
