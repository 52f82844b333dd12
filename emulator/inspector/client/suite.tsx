/** The conformance suite on a copy of the tracker: its progress and its result. */
import { useEffect, useState } from 'preact/hooks'
import type { SuiteStatus } from '../suite.js'
import { ask, useFetched } from './live.js'
import { Button, Empty } from './ui.js'

const start = () => ask('POST', 'suite')

export function SuiteSection() {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTurn((last) => last + 1), 500)
    return () => clearInterval(timer)
  }, [])
  const { data, error } = useFetched<SuiteStatus>('suite', turn)
  if (!data) return <Empty>{error ?? 'Loading…'}</Empty>
  const { running, progress, last, trouble } = data
  return (
    <>
      <p class="lead">
        Runs the suite against a copy of this tracker, as it is now. State and journal stay as they are;
        faults are not copied.
      </p>
      <div class="toolbar">
        <Button label="Run the suite" onClick={start} tone="primary" disabled={running} />
        {running && <Button label="Stop" onClick={() => ask('DELETE', 'suite')} />}
        {last && (
          <a class="button" href="suite/report.html" target="_blank" rel="noreferrer">
            Open the whole report
          </a>
        )}
      </div>
      {running && (
        <>
          <progress max={progress?.total} value={progress?.done ?? 0} aria-label="Progress of the suite" />
          <p class="muted">
            {progress ? `Story ${progress.done + 1} of ${progress.total} · ${progress.story}` : 'Starting…'}
          </p>
        </>
      )}
      {trouble && <p class="box bad">The last run has no result: {trouble}</p>}
      {!last && !running && !trouble && <Empty>No result yet. Run the suite to see one here.</Empty>}
      {last && !running && (
        <>
          <p class={`box verdict ${last.verdict}`}>
            <b>The tracker {last.sentence}.</b>{' '}
            <time dateTime={last.at}>{new Date(last.at).toLocaleTimeString()}</time>
          </p>
          <iframe key={last.at} class="report" src="suite/report.html" title="The report" />
        </>
      )}
    </>
  )
}
