/** The conformance suite on a copy of the tracker: its progress and its result. */
import type { SuiteStatus } from '../suite.js'
import { change } from './api.js'
import type { SectionProps } from './live.js'
import { Button, Empty, Section } from './ui.js'

export function SuiteSection({ live: { suite }, overview }: SectionProps) {
  if (!overview.suite)
    return <Empty>The suite comes with tracker-kit serve; this server was started without it.</Empty>
  if (!suite) return null
  const { running, progress, last, trouble } = suite
  return (
    <Section id="suite" title="Conformance">
      <p class="lead">
        Runs the suite against a copy of this tracker, as it is now. State and journal stay as they are;
        faults are not copied.
      </p>
      <div class="toolbar">
        <Button onClick={() => change('POST', 'suite')} tone="primary" disabled={running}>
          Run the suite
        </Button>
        {running && <Button onClick={() => change('DELETE', 'suite')}>Stop</Button>}
        {last && (
          <a class="button" href="suite/report.html" target="_blank" rel="noreferrer">
            Open the whole report
          </a>
        )}
      </div>
      {running && (
        <>
          <progress
            max={progress?.total ?? 1}
            value={progress?.done ?? 0}
            aria-label="Progress of the suite"
          />
          <p class="muted">
            {progress ? `Story ${progress.done + 1} of ${progress.total} · ${progress.story}` : 'Starting…'}
          </p>
        </>
      )}
      {trouble && <p class="box bad">The last run has no result: {trouble}</p>}
      {!last && !running && !trouble && <Empty>No result yet. Run the suite to see one here.</Empty>}
      {last && !running && <Result last={last} />}
    </Section>
  )
}

function Result({ last }: { last: NonNullable<SuiteStatus['last']> }) {
  const { verdict, sentence, counts, requests, durationMs, at } = last
  const tone = { conforms: 'good', deviates: 'bad', inconclusive: 'open' }[verdict]
  return (
    <>
      <div class={`box verdict ${tone}`}>
        <p class="word">{verdict}</p>
        <p>The tracker {sentence}.</p>
        <p class="muted">
          {counts.passed} requirements passed, {counts.failed} failed, {counts.skipped} skipped · {requests}{' '}
          requests in {(durationMs / 1000).toFixed(1)} s ·{' '}
          <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time>
        </p>
      </div>
      <iframe key={at} class="report" src="suite/report.html" title="The report" />
    </>
  )
}
