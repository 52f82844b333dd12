/** What the interface document leaves open: the value in force, and the other legal values. */
import { useState } from 'preact/hooks'
import type { LedgerEntry } from '../routes.js'
import { ask, type SectionProps, useFetched } from './live.js'
import { Button, Checkbox, Download, Empty, Input, notify, Prose, parsed } from './ui.js'

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)
const isOther = ({ value, default: fallback }: LedgerEntry) => !same(value, fallback)
const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const decide = (input: object) => ask('PATCH', 'decisions', input)

export function DecisionsSection({ live, detail }: SectionProps) {
  const { data, error } = useFetched<readonly LedgerEntry[]>('inspector/ledger', live.changes)
  const [search, setSearch] = useState(detail)
  const [othersOnly, setOthersOnly] = useState(false)
  if (!data) return <Empty>{error ?? 'Loading…'}</Empty>
  const text = search.trim().toLowerCase()
  const others = data.filter(isOther)
  const found = data.filter((one) => (!othersOnly || isOther(one)) && textOf(one).includes(text))
  const file = JSON.stringify(Object.fromEntries(others.map(({ id, value }) => [id, value])), null, 2)
  const href = `data:application/json,${encodeURIComponent(file)}`
  const back = async () => {
    await decide(Object.fromEntries(others.map((one) => [one.id, one.default])))
    notify('All decisions are at their defaults')
  }
  return (
    <>
      <p class="lead">
        What the document leaves open. A change holds from the next request on, and stays after a reset.
      </p>
      <div class="filters">
        <Input type="search" label="Search" value={search} onChange={setSearch} />
        <Checkbox
          label={`Only changed from the default (${others.length})`}
          value={othersOnly}
          onChange={setOthersOnly}
        />
        <p class="found">
          <output>{`${found.length} of ${data.length}`}</output>
        </p>
        <Download href={href} name="decisions.json" title="For serve --decisions" />
        <Button label="All to default" onClick={back} disabled={others.length === 0} />
      </div>
      {found.length === 0 && <Empty>No decision matches.</Empty>}
      <ul class="list">
        {found.map((one) => (
          <DecisionItem key={one.id} decision={one} />
        ))}
      </ul>
    </>
  )
}

const textOf = ({ id, question, values, why, operations }: LedgerEntry) =>
  JSON.stringify([id, question, values, why, operations]).toLowerCase()

function DecisionItem({ decision }: { decision: LedgerEntry }) {
  const { id, value, default: fallback, alternatives, open, operations, section } = decision
  const { question, values: sentences, why, origin } = decision
  const legal = [fallback, ...alternatives]
  const listed = legal.some((one) => same(one, value)) ? legal : [...legal, value]
  const flip = async (next: unknown) => {
    await decide({ [id]: next })
    const on = operations.length > 6 ? `${operations.length} operations` : operations.join(', ')
    notify(`${id}: ${written(value)} → ${written(next)}. Section ${section}; it changes ${on}.`)
  }
  return (
    <li class={isOther(decision) ? 'box decision other' : 'box decision'}>
      <div>
        <h2>
          <code>{id}</code> <span class="muted">{`section ${section}${origin}`}</span>
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
      </div>
      <fieldset class="values">
        <legend class="unseen">Value of {id}</legend>
        {listed.map((one) => (
          <Button
            key={written(one)}
            label={written(one)}
            tone="choice"
            pressed={same(one, value)}
            onClick={() => flip(one)}
          >
            {same(one, fallback) && <small> default</small>}
            {sentences[written(one)] && (
              <small class="sentence">
                <Prose text={sentences[written(one)] ?? ''} />
              </small>
            )}
          </Button>
        ))}
        {open && <OpenValue key={written(value)} value={value} onFlip={flip} />}
      </fieldset>
    </li>
  )
}

function OpenValue({ value, onFlip }: { value: unknown; onFlip: (next: unknown) => Promise<void> }) {
  const [text, setText] = useState(JSON.stringify(value))
  return (
    <span class="open-value">
      <Input label="Another value" value={text} onChange={setText} />
      <Button label="Set" onClick={() => onFlip(parsed(text, `${text} is not JSON; text needs quotes`))} />
    </span>
  )
}
