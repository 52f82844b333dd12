/** Masks secrets in JSON by the names around them. Everything else stays as it was written. */
import { isSecretName, isValueName, namesSecret } from './secret-names.js'

interface Masks {
  leaf(value: unknown, isSecret: boolean): unknown
  /** Of a member. */
  name(text: string): string
}

/** A list or an object, and its position. */
interface Frame {
  readonly outer: Frame | null
  readonly isList: boolean
  /** The name of its member in the outer object. */
  readonly at: string | null
  /** The name of the member whose value comes next. */
  name: string | null
  /** One of its members names another as a secret. */
  isPair: boolean
  /** Known once all members are read. */
  isSecret: boolean | undefined
}

const token = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Of a text that `JSON.parse` takes. */
export function maskJson(text: string, masks: Masks): string {
  const all = { outer: null, isList: true, at: null, name: null, isPair: false, isSecret: undefined }
  const parts = []
  let frame: Frame = all
  for (const { 0: written, index: from } of text.matchAll(token)) {
    const at = frame.name
    if (written === '{' || written === '[') frame = { ...all, outer: frame, isList: written === '[', at }
    else if (written === '}' || written === ']') frame = frame.outer ?? frame
    else if (written === ',') frame.name = null
    else if (written !== ':') {
      const isName = !frame.isList && at === null
      const value = written[0] === '"' && !written.includes('\\') ? written.slice(1, -1) : JSON.parse(written)
      if (isName) frame.name = value
      else frame.isPair ||= namesSecret(at ?? '', value)
      parts.push({ from, written, value, frame, at, isName })
    }
  }
  // A neighbour may name a member as a secret, so all members are read first.
  let [out, done] = ['', 0]
  for (const { from, written, value, frame: around, at, isName } of parts) {
    const masked = isName ? masks.name(String(value)) : masks.leaf(value, isSecretIn(around, at))
    if (masked === value) continue
    out += text.slice(done, from) + JSON.stringify(masked)
    done = from + written.length
  }
  return out + text.slice(done)
}

function isSecretIn(frame: Frame, name: string | null): boolean {
  frame.isSecret ??= frame.outer !== null && isSecretIn(frame.outer, frame.at)
  // The record of a session tells its user.
  if (frame.isSecret && /^(user_?name|e?mail)$/i.test(name ?? '')) return false
  return frame.isSecret || (name !== null && (isSecretName(name) || (frame.isPair && isValueName(name))))
}
