/** The conformance suite against a copy of the tracker: how far it is, and what it found. */
import type { SuiteStatus } from '../suite.js'
import { change } from './api.js'
import { Button, Empty } from './ui.js'

export function SuiteSection({
  status: { running, progress, last, trouble },
}: {
  readonly status: SuiteStatus
}) {
  return (
    <section aria-labelledby="suite-title">
      <h1 id="suite-title">Conformance</h1>
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
        <div class="progress">
          <progress
            max={progress?.total ?? 1}
            value={progress?.done ?? 0}
            aria-label="Progress of the suite"
          />
          <p class="muted">
            {progress
              ? `${progress.done} of ${progress.total} checks${progress.failed > 0 ? `, ${progress.failed} failed` : ''} · ${progress.check}`
              : 'Starting…'}
          </p>
        </div>
      )}
      {trouble && <p class="box bad">The last run has no result: {trouble}</p>}
      {!last && !running && !trouble && <Empty>It has not been run yet.</Empty>}
      {last && <Result last={last} />}
    </section>
  )
}

function Result({ last }: { readonly last: NonNullable<SuiteStatus['last']> }) {
  const { verdict, sentence, counts, failures, requests, durationMs, at } = last
  const tone = { conforms: 'good', deviates: 'bad', inconclusive: 'open' }[verdict]
  return (
    <div class={`box verdict ${tone}`}>
      <p class="word">{verdict}</p>
      <p>The tracker {sentence}.</p>
      <p class="muted">
        {counts.passed} requirements passed, {counts.failed} failed, {counts.skipped} skipped · {requests}{' '}
        requests in {(durationMs / 1000).toFixed(1)} s ·{' '}
        <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time>
      </p>
      {failures.length > 0 && (
        <ul>
          {failures.slice(0, 20).map(({ requirement, operation, message }) => (
            <li key={`${requirement} ${operation} ${message}`}>
              <code>{requirement}</code> <code>{operation}</code> {message}
            </li>
          ))}
          {failures.length > 20 && <li>… and {failures.length - 20} more</li>}
        </ul>
      )}
    </div>
  )
}
