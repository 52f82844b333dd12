/** Secrets in JSON, by the names around them; what is no secret stays as it was written, blanks and repetitions too. */
import { isSecretName, isValueName, namesSecret } from './secret-names.js'

type Leaf = string | number | boolean | null

export interface LeafMasks {
  leaf(value: Leaf, isSecret: boolean): Leaf
  /** Of a member. */
  name(text: string): string
}

/** A list or an object that is being read. */
interface Frame {
  readonly outer: Frame | null
  readonly isList: boolean
  readonly isSecret: () => boolean
  /** Of the member whose value comes next. */
  name: string | null
  /** One of its members says that another one holds a secret. */
  isPair: boolean
}

const token = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Of a text that `JSON.parse` takes. */
export function maskJson(text: string, masks: LeafMasks): string {
  const parts: { readonly from: number; readonly written: string; readonly masked: () => Leaf }[] = []
  let frame: Frame = { outer: null, isList: true, isSecret: () => false, name: null, isPair: false }
  for (const { 0: written, index: from } of text.matchAll(token)) {
    if (written === '{' || written === '[')
      frame = { outer: frame, isList: written === '[', isSecret: below(frame), name: null, isPair: false }
    else if (written === '}' || written === ']') frame = frame.outer ?? frame
    else if (written === ',') frame.name = null
    else if (written !== ':') {
      const value: Leaf = JSON.parse(written)
      if (!frame.isList && frame.name === null) {
        const name = String(value)
        frame.name = name
        parts.push({ from, written, masked: () => masks.name(name) })
      } else {
        const isSecret = below(frame)
        frame.isPair ||= namesSecret(frame.name ?? '', value)
        parts.push({ from, written, masked: () => masks.leaf(value, isSecret()) })
      }
    }
  }
  let [out, done] = ['', 0]
  for (const { from, written, masked } of parts) {
    const value = masked()
    if (value === JSON.parse(written)) continue
    out += text.slice(done, from) + JSON.stringify(value)
    done = from + written.length
  }
  return out + text.slice(done)
}

/** Whether what stands next is part of a secret, as is known once all of its object is read. */
function below(frame: Frame): Frame['isSecret'] {
  const { name } = frame
  return () =>
    frame.isSecret() || (name !== null && (isSecretName(name) || (frame.isPair && isValueName(name))))
}
