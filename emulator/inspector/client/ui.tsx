/** Parts that all sections use. */
import type { AllHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Parent = { children: ComponentChildren }

interface ButtonProps {
  label: string
  onClick: () => unknown
  /** `choice`: one of several buttons, some of which are `pressed`. */
  tone?: 'plain' | 'primary' | 'danger' | 'choice'
  pressed?: boolean
  disabled?: boolean
  title?: string
  /** What stands behind the label. */
  children?: ComponentChildren
}

/** A button that shows the reader why its work failed, and that cannot be pressed while it works. */
export function Button({ label, onClick, tone = 'plain', pressed, disabled, title, children }: ButtonProps) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    try {
      await onClick()
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error), 'bad')
    }
    setBusy(false)
  }
  return (
    <button
      type="button"
      class={tone === 'choice' ? tone : `button ${tone}`}
      aria-pressed={pressed}
      disabled={disabled || busy}
      onClick={press}
      title={title}
    >
      {label}
      {children}
    </button>
  )
}

type Notice = { text: string; tone: 'good' | 'bad' }

let showNotice: (notice: Notice) => void = () => undefined

export function notify(text: string, tone: Notice['tone'] = 'good'): void {
  showNotice({ text, tone })
}

/** The last notice. Its frame stays in the page, so that screen readers announce changes. */
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

export function Status({ code }: { code: number }) {
  const tone = code === 0 || code >= 500 ? 'bad' : code >= 400 ? 'refused' : 'good'
  return <span class={`pill ${tone}`}>{code === 0 ? 'none' : code}</span>
}

type DownloadProps = { href: string; name: string; label?: string; title?: string }

export const Download = ({ href, name, label = 'Download', title }: DownloadProps) => (
  <a class="button" href={href} download={name} title={title}>
    {label}
  </a>
)

export const Empty = ({ children }: Parent) => <p class="empty">{children}</p>

interface TableProps {
  label: string
  heads: readonly string[]
  rows: readonly { key: string; class?: string; cells: readonly ComponentChildren[] }[]
}

/** Scrolls if it is wider than the page. On a narrow page, each cell is below its heading. */
export function Table({ label, heads, rows }: TableProps) {
  if (rows.length === 0) return <Empty>None.</Empty>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section class="wide" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} class={row.class}>
              {row.cells.map((cell, index) => (
                <td key={heads[index]} data-label={heads[index]}>
                  <span>{cell}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export const Field = ({ label, children }: Parent & { label: string }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
  <label class="field">
    <span>{label}</span>
    {children}
  </label>
)

type Entered<T = string> = { label: string; value: T; onChange: (value: T) => void }

interface ChoiceProps extends Entered, Pick<AllHTMLAttributes, 'title'> {
  /** The text of the option with the empty value. */
  empty: string
  options: readonly string[]
}

export const Choice = ({ label, value, empty, options, onChange, title }: ChoiceProps) => (
  <Field label={label}>
    <select value={value} title={title} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{empty}</option>
      {options.map((text) => (
        <option key={text}>{text}</option>
      ))}
    </select>
  </Field>
)

type InputProps = Entered & Pick<AllHTMLAttributes, 'title' | 'list' | 'placeholder'> & { type?: 'search' }

export const Input = ({ label, onChange, ...input }: InputProps) => (
  <Field label={label}>
    <input {...input} onInput={(event) => onChange(event.currentTarget.value)} />
  </Field>
)

export const Checkbox = ({ label, value, onChange }: Entered<boolean>) => (
  <label>
    <input type="checkbox" checked={value} onChange={() => onChange(!value)} /> {label}
  </label>
)

/** Text between backticks is code. */
export const Prose = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
)

/** A value as JSON; a text that is not JSON stays as it is. */
export function Json({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <p class="none">no body</p>
  return <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
}

export function Headers({ list }: { list: readonly (readonly [string, string])[] }) {
  if (list.length === 0) return null
  return (
    <details>
      <summary>Headers</summary>
      <pre>{list.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
    </details>
  )
}

/** The value of a JSON text. If the text is not JSON, throws `trouble`, or returns the text itself. */
export function parsed(text: string, trouble?: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    if (trouble === undefined) return text
    throw new Error(trouble)
  }
}
