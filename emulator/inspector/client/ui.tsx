/** Parts that all sections are made of. */
import type { AllHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Tone = 'plain' | 'primary' | 'danger'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick: () => unknown
  readonly tone?: Tone
  readonly disabled?: boolean
  readonly title?: string
}

/** What its work rejects with is told to the reader. While it works, it cannot be pressed again. */
export function Button({ children, onClick, tone = 'plain', disabled = false, title }: ButtonProps) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    try {
      await onClick()
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error), 'bad')
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" class={`button ${tone}`} disabled={disabled || busy} onClick={press} title={title}>
      {children}
    </button>
  )
}

export function CopyButton({
  children,
  text,
}: {
  readonly children: ComponentChildren
  readonly text: () => string | Promise<string>
}) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    await toClipboard(await text())
    setCopied(true)
    notify('Copied')
  }
  return <Button onClick={copy}>{copied ? 'Copied' : children}</Button>
}

async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // At another address than this machine's the browser gives no clipboard to a page without TLS.
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('The browser does not let the page copy; select the text by hand')
}

interface Notice {
  readonly text: string
  readonly tone: 'good' | 'bad'
}

let showNotice: (notice: Notice) => void = () => undefined

export function notify(text: string, tone: Notice['tone'] = 'good'): void {
  showNotice({ text, tone })
}

/** The last word to the reader. It stays in the page, so that screen readers hear of its changes. */
export function Notices() {
  const [notice, setNotice] = useState<Notice | null>(null)
  showNotice = setNotice
  useEffect(() => {
    if (!notice) return
    const timer = setTimeout(() => setNotice(null), notice.tone === 'bad' ? 8000 : 3000)
    return () => clearTimeout(timer)
  }, [notice])
  return (
    <div class="notices" role="status">
      {notice && <p class={`notice ${notice.tone}`}>{notice.text}</p>}
    </div>
  )
}

export function Status({ code }: { readonly code: number }) {
  const tone = code === 0 || code >= 500 ? 'bad' : code >= 400 ? 'refused' : 'good'
  return <span class={`pill ${tone}`}>{code === 0 ? 'none' : code}</span>
}

export function Method({ name }: { readonly name: string }) {
  return <span class="method">{name}</span>
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}

export function Field({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class="field">
      <span>{label}</span>
      {children}
    </label>
  )
}

/** The heading, and what is below it, of one part of the page. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={`${id}-title`}>
      <h1 id={`${id}-title`}>{title}</h1>
      {children}
    </section>
  )
}

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly children: ComponentChildren
}

/** A table that scrolls where it is wider than the page. `rows` are its table rows. */
export function WideTable({ label, heads, rows }: WideTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section class="wide" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </section>
  )
}

interface WideTableProps {
  readonly label: string
  readonly heads: readonly string[]
  readonly rows: ComponentChildren
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}

interface InputProps extends Pick<AllHTMLAttributes, 'title' | 'list' | 'placeholder' | 'inputMode'> {
  readonly label: string
  readonly value: string
  readonly type?: 'text' | 'search'
  readonly onChange: (value: string) => void
  /** Besides the input. */
  readonly children?: ComponentChildren
}

export function Input({ label, onChange, children, ...input }: InputProps) {
  return (
    <Field label={label}>
      <input {...input} onInput={(event) => onChange(event.currentTarget.value)} />
      {children}
    </Field>
  )
}

/** What stands between backticks is code. */
export const Prose = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
)

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** A value as coloured JSON; text that is no JSON as it is. */
export function Json({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined) return <p class="none">no body</p>
  if (typeof value === 'string') return <pre>{value}</pre>
  const text = JSON.stringify(value, null, 2)
  const pieces: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match
    pieces.push(text.slice(end, match.index))
    const kind = string === undefined ? 'literal' : colon === undefined ? 'string' : 'key'
    pieces.push(<span class={kind}>{string ?? whole}</span>, colon ?? '')
    end = match.index + whole.length
  }
  return (
    <pre class="json">
      {pieces}
      {text.slice(end)}
    </pre>
  )
}

export function Headers({ list }: { readonly list: readonly (readonly [string, string])[] }) {
  if (list.length === 0) return null
  return (
    <details>
      <summary>Headers</summary>
      <pre>{list.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
    </details>
  )
}

/** What the text is as JSON. Throws `trouble` where it is none. */
export function parsed(text: string, trouble: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(trouble)
  }
}

/** Gives a text to the reader as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

export const timeOf = (at: string) => at.slice(11, 23)
