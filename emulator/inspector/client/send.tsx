/** A form for each operation, which sends a real request as somebody. */
import { useState } from 'preact/hooks'
import type { ShownCall } from '../events.js'
import type { SentAnswer } from '../sending.js'
import type { Forms, OperationForm, Overview } from '../views.js'
import { change } from './api.js'
import { Why } from './call.js'
import { parametersOf, takePrepared } from './draft.js'
import { useFetched } from './live.js'
import { Button, Choice, Empty, Field, Headers, Input, Json, Method, Prose, Status } from './ui.js'

interface SendProps {
  readonly chosen: string
  readonly calls: readonly ShownCall[]
  readonly overview: Overview
  readonly session: number
}

const titles = { '4.1': 'Users', '4.2': 'Management' } as const

export function Send({ chosen, calls, overview, session }: SendProps) {
  const { data: forms, error } = useFetched<Forms>('inspector/forms', session)
  if (!forms) return <Empty>{error ?? 'Loading…'}</Empty>
  const operation = forms.operations.find(({ id }) => id === chosen) ?? forms.operations[0]
  if (!operation) return null
  return (
    <section class="send" aria-labelledby="send-title">
      <h1 id="send-title">Send a request</h1>
      <nav class="operations" aria-label="Operations">
        {(['4.1', '4.2'] as const).map((section) => (
          <div key={section}>
            <h2>{titles[section]}</h2>
            <ul>
              {forms.operations
                .filter((one) => one.section === section)
                .map(({ id, method }) => (
                  <li key={id}>
                    <a href={`#send/${id}`} aria-current={id === operation.id ? 'true' : undefined}>
                      <Method name={method} /> {id}
                    </a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="pick">
        <Choice
          label="Operation"
          value={operation.id}
          options={forms.operations.map(({ id, method }) => [id, `${method} ${id}`])}
          onChange={(id) => {
            location.hash = `send/${id}`
          }}
        />
      </div>
      <Form key={operation.id} operation={operation} names={forms.names} overview={overview} calls={calls} />
    </section>
  )
}

interface FormProps {
  readonly operation: OperationForm
  readonly names: Forms['names']
  readonly overview: Overview
  readonly calls: readonly ShownCall[]
}

const NOBODY = '-'

function Form({ operation, names, overview, calls }: FormProps) {
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
  const broken = takesBody && body.trim() !== '' && !isJson(body)
  const send = async () => {
    const request = {
      as: as === NOBODY ? null : as,
      method,
      path: target,
      body: takesBody && body !== '' ? body : null,
    }
    setAnswer(await change<SentAnswer>('POST', 'inspector/send', request))
  }
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
        options={[
          ...overview.roles.map(
            ({ name, username, level }) => [name, [...new Set([name, username, level])].join(', ')] as const,
          ),
          [NOBODY, 'nobody, without a token'],
        ]}
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
        <Field label={broken ? 'Body (this is not JSON; it is sent as it is)' : 'Body'}>
          <textarea
            rows={Math.min(16, Math.max(4, body.split('\n').length))}
            spellcheck={false}
            value={body}
            onInput={(event) => setBody(event.currentTarget.value)}
          />
        </Field>
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
        <AnswerView
          answer={answer}
          call={calls.find(({ sequence }) => sequence === answer.sequence)}
          overview={overview}
        />
      )}
    </div>
  )
}

interface AnswerProps {
  readonly answer: SentAnswer
  readonly call: ShownCall | undefined
  readonly overview: Overview
}

function AnswerView({ answer: { status, headers, body }, call, overview }: AnswerProps) {
  return (
    <section class="answer" aria-live="polite" aria-label="Answer">
      <h2>
        Answer <Status code={status} />
      </h2>
      {call?.refusal && <Why refusal={call.refusal} levels={overview.levels} />}
      <Json value={isJson(body) ? JSON.parse(body) : body} />
      <Headers list={headers} />
    </section>
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
