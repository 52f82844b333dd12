/** What the interface document leaves open: how it is decided here, and what else it could be. */
import { useEffect, useState } from 'preact/hooks'
import type { LedgerEntry } from '../views.js'
import { change } from './api.js'
import { prepare } from './draft.js'
import { useFetched } from './live.js'
import { Button, Choice, download, Empty, Input, notify, Prose, parsed, Section } from './ui.js'

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)
const isOther = ({ value, default: fallback }: LedgerEntry) => !same(value, fallback)
const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

export function DecisionsSection({
  wanted,
  revision,
  operations,
}: {
  readonly operations: readonly string[]
  readonly wanted: string
  readonly revision: number
}) {
  const { data, error } = useFetched<readonly LedgerEntry[]>('inspector/ledger', revision)
  const [search, setSearch] = useState(wanted)
  const [operation, setOperation] = useState('')
  const [othersOnly, setOthersOnly] = useState(false)
  useEffect(() => setSearch(wanted), [wanted])
  if (!data) return <Empty>{error ?? 'Loading…'}</Empty>
  const text = search.trim().toLowerCase()
  const others = data.filter(isOther)
  const found = data.filter(
    (one) =>
      (!othersOnly || isOther(one)) &&
      (operation === '' || one.operations.some((id) => id === operation)) &&
      (text === '' ||
        JSON.stringify([one.id, one.question, one.values, one.why, one.operations])
          .toLowerCase()
          .includes(text)),
  )
  const back = async () => {
    await decide(Object.fromEntries(others.map((one) => [one.id, one.default])))
    notify('All decisions are at their defaults')
  }
  return (
    <Section id="decisions" title="Decisions">
      <p class="lead">
        What the document leaves open. A change holds from the next request on, and stays after a reset.
      </p>
      <div class="filters">
        <Input type="search" label="Search" value={search} onChange={setSearch} />
        <Choice
          label="Operation"
          value={operation}
          options={[['', 'All'], ...operations.map((id) => [id, id] as const)]}
          onChange={setOperation}
        />
        <label>
          <input type="checkbox" checked={othersOnly} onChange={() => setOthersOnly(!othersOnly)} /> Only
          changed from the default ({others.length})
        </label>
        <p class="found">
          <output>
            {found.length} of {data.length}
          </output>
        </p>
        <Button onClick={() => download('decisions.json', fileOf(others))} title="For serve --decisions">
          Download
        </Button>
        <Button onClick={back} disabled={others.length === 0}>
          All to default
        </Button>
      </div>
      {found.length === 0 && <Empty>No decision matches.</Empty>}
      <ul class="decisions">
        {found.map((one) => (
          <DecisionItem key={one.id} decision={one} />
        ))}
      </ul>
    </Section>
  )
}

const fileOf = (others: readonly LedgerEntry[]) =>
  `${JSON.stringify(Object.fromEntries(others.map(({ id, value }) => [id, value])), null, 2)}\n`

const decide = (input: object) => change('PATCH', 'decisions', input)

function DecisionItem({ decision }: { readonly decision: LedgerEntry }) {
  const { id, value, default: fallback, alternatives, open, operations, section } = decision
  const { question, values: sentences, why } = decision
  const values = [fallback, ...alternatives]
  const listed = values.some((one) => same(one, value)) ? values : [...values, value]
  const flip = async (next: unknown) => {
    await decide({ [id]: next })
    const on = operations.length > 6 ? `${operations.length} operations` : operations.join(', ')
    notify(`${id}: ${written(value)} → ${written(next)}. Section ${section}; it changes ${on}.`)
  }
  return (
    <li class={isOther(decision) ? 'box decision other' : 'box decision'}>
      <div>
        <h2>
          <code>{id}</code> <span class="muted">section {section}</span>
        </h2>
        <p>
          <b>
            <Prose text={question} />
          </b>
        </p>
        <p>
          Why the default: <Prose text={why} />
        </p>
        <p class="muted on">
          {operations.length === 26
            ? 'All operations'
            : operations.map((name) => <code key={name}>{name} </code>)}
        </p>
        {decision.probe.length > 0 && (
          <details>
            <summary>Try it</summary>
            <ul class="probe">
              {decision.probe.map((request) => (
                <li key={request.line}>
                  <button type="button" class="choice" onClick={() => prepare(request)}>
                    <code>{request.line}</code>
                  </button>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <fieldset class="values">
        <legend class="unseen">Value of {id}</legend>
        {listed.map((one) => (
          <button
            type="button"
            key={JSON.stringify(one)}
            class="choice"
            aria-pressed={same(one, value)}
            onClick={() => flip(one).catch((error: Error) => notify(error.message, 'bad'))}
          >
            {written(one)}
            {same(one, fallback) && <small> default</small>}
            {sentences[written(one)] && (
              <small class="sentence">
                <Prose text={sentences[written(one)] ?? ''} />
              </small>
            )}
          </button>
        ))}
        {open && <OpenValue value={value} onFlip={flip} />}
      </fieldset>
    </li>
  )
}

/** Any value at all, as JSON. */
function OpenValue({
  value,
  onFlip,
}: {
  readonly value: unknown
  readonly onFlip: (next: unknown) => Promise<void>
}) {
  const [text, setText] = useState(JSON.stringify(value))
  useEffect(() => setText(JSON.stringify(value)), [value])
  const set = async () => onFlip(parsed(text, `${text} is not JSON; text needs quotes`))
  return (
    <span class="open-value">
      <Input label="Another value" value={text} onChange={setText} />
      <Button onClick={set}>Set</Button>
    </span>
  )
}
