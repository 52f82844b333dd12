/** A form for each operation, which sends a real request as a chosen user. */
import { useState } from 'preact/hooks'
import type { SentAnswer } from '../sending.js'
import type { Forms, OperationForm } from '../views.js'
import { change } from './api.js'
import { Why } from './call.js'
import { parametersOf, takePrepared } from './draft.js'
import { type SectionProps, useFetched } from './live.js'
import { Button, Choice, Empty, Headers, Input, Json, Prose, Section, Status, TextArea } from './ui.js'

const titles = { '4.1': 'Users', '4.2': 'Management' } as const

export function SendSection({ live, overview, detail }: SectionProps) {
  const { data: forms, error } = useFetched<Forms>('inspector/forms', live.session)
  if (!forms) return <Empty>{error ?? 'Loading…'}</Empty>
  const operation = forms.operations.find(({ id }) => id === detail) ?? forms.operations[0]
  if (!operation) return null
  const choose = (id: string) => {
    location.hash = `send/${id}`
  }
  return (
    <Section id="send" title="Send a request">
      <nav class="operations" aria-label="Operations">
        {Object.entries(titles).map(([section, title]) => (
          <div key={section}>
            <h2>{title}</h2>
            {forms.operations
              .filter((one) => one.section === section)
              .map(({ id, method }) => (
                <a key={id} href={`#send/${id}`} aria-current={id === operation.id ? 'true' : undefined}>
                  <span class="method">{method}</span> {id}
                </a>
              ))}
          </div>
        ))}
      </nav>
      <div class="pick">
        <Choice
          label="Operation"
          value={operation.id}
          options={forms.operations.map(({ id, method }) => [id, `${method} ${id}`])}
          onChange={choose}
        />
      </div>
      <Form
        key={`${operation.id} ${detail}`}
        operation={operation}
        names={forms.names}
        live={live}
        overview={overview}
      />
    </Section>
  )
}

const NOBODY = '-'

interface FormProps extends Omit<SectionProps, 'detail'> {
  operation: OperationForm
  names: Forms['names']
}

function Form({ operation, names, overview, live: { calls } }: FormProps) {
  const { id, number, method, path, summary, parameters, takesBody, example } = operation
  const [draft] = useState(() => takePrepared(id))
  const [as, setAs] = useState(draft ? (draft.as ?? NOBODY) : (example.as ?? 'administrator'))
  const [values, setValues] = useState(draft ? parametersOf(path, draft.path) : (example.path ?? {}))
  const [query, setQuery] = useState(draft?.query ?? '')
  const [body, setBody] = useState(
    takesBody ? (draft?.body ?? JSON.stringify(example.body ?? {}, null, 2)) : '',
  )
  const [answer, setAnswer] = useState<SentAnswer | null>(null)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const target = `/plugins/${encodeURIComponent(overview.ext)}${filled}${query === '' ? '' : `?${query}`}`
  const broken = body.trim() !== '' && jsonIn(body) === undefined
  const send = async () => {
    const caller = as === NOBODY ? null : as
    const request = { as: caller, method, path: target, body: body === '' ? null : body }
    setAnswer(await change<SentAnswer>('POST', 'inspector/send', request))
  }
  const refusal = answer && calls.find(({ sequence }) => sequence === answer.sequence)?.refusal
  const roles = overview.roles.map(
    ({ name, username, level }) => [name, [...new Set([name, username, level])].join(', ')] as const,
  )
  return (
    <div class="form">
      <h2>
        <span class="muted">{number}</span> {id}
      </h2>
      <p>
        <Prose text={summary} />
      </p>
      <Choice
        label="Send as"
        value={as}
        options={[...roles, [NOBODY, 'nobody, without a token']]}
        onChange={setAs}
      />
      {parameters.map((name) => (
        <Input
          key={name}
          label={name}
          list={`names-${name}`}
          value={values[name] ?? ''}
          onChange={(value) => setValues({ ...values, [name]: value })}
        >
          <datalist id={`names-${name}`}>
            {names[name]?.map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        </Input>
      ))}
      {method === 'GET' && (
        <Input label="Query" value={query} placeholder={example.query ?? ''} onChange={setQuery} />
      )}
      {takesBody && (
        <TextArea
          label={broken ? 'Body (this is not JSON; it is sent as it is)' : 'Body'}
          value={body}
          onChange={setBody}
        />
      )}
      {draft?.body.includes('"***"') && (
        <p class="muted">The journal masks secrets: put real ones in the place of "***".</p>
      )}
      <p class="line">
        <code>
          {method} {target}
        </code>
      </p>
      <Button onClick={send} tone="primary">
        Send
      </Button>
      {answer && (
        <section class="answer" aria-live="polite" aria-label="Answer">
          <h2>
            Answer <Status code={answer.status} />
          </h2>
          {refusal && <Why refusal={refusal} levels={overview.levels} />}
          <Json value={jsonIn(answer.body) ?? answer.body} />
          <Headers list={answer.headers} />
        </section>
      )}
    </div>
  )
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
