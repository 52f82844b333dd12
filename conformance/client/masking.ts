/** Masks what is secret by its value, by the name that it stands under, or by its form. */
import { parseJson } from './body.js'
import { type Edit, type JsonNode, jsonNodes, withEdits } from './json-nodes.js'
import type { Words } from './pseudonyms.js'
import { canBeSecret, isSecretHeader, isSecretName, isValueName, namesSecret } from './secret-names.js'
import { maskByForm } from './secret-texts.js'
import { LEAST, type secretValues } from './secret-values.js'

type Values = ReturnType<typeof secretValues>

/** `known`: secrets that may be too short or too ordinary to be found by their value. */
export function masking(values: Values, known: ReadonlySet<string | undefined>, words: Words) {
  const text = (value: string): string => maskByForm(values.mask(value, words), words)

  /** `isSecret`: it stands under the name of a secret. */
  function leaf(value: string | number | boolean | null, isSecret: boolean): typeof value {
    if (typeof value !== 'string' && typeof value !== 'number') return value
    const written = String(value)
    const isSaid = isSecret && (canBeSecret(value) || (written !== '' && known.has(written)))
    if (typeof value === 'string') return isSaid ? words.of(value) : text(value)
    const isKnown = written.length >= LEAST && values.mask(written) !== written
    return isSaid || isKnown ? words.ofNumber(value) : value
  }

  function editsIn(node: JsonNode, isSecret: boolean): Edit[] {
    if (node.kind === 'list') return node.items.flatMap((item) => editsIn(item, isSecret))
    if (node.kind === 'leaf') {
      const value = leaf(node.value, isSecret)
      return value === node.value ? [] : [{ ...node, value }]
    }
    const isPair = !isSecret && namesSecret(node.members)
    return node.members.flatMap(([name, item]) => {
      const own = String(name.value)
      const value = values.mask(own, words)
      const below = isSecret || isSecretName(own) || (isPair && isValueName(own))
      return [...(value === own ? [] : [{ ...name, value }]), ...editsIn(item, below)]
    })
  }

  const inJson = (value: string) => withEdits(value, editsIn(jsonNodes(value), false))

  /** Texts by their value alone, for what has members of its own that speak of secrets and hold none. */
  function literals<T>(value: T): T {
    if (typeof value === 'string') return values.mask(value, words) as T
    if (Array.isArray(value)) return value.map(literals) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, literals(item)])) as T
  }

  return {
    text,
    literals,
    json: (value: unknown): unknown =>
      value === undefined ? undefined : JSON.parse(inJson(JSON.stringify(value))),
    /** A body as it was written, with its blanks and what it says twice, but for the secrets in it. */
    raw: (value: string): string => (parseJson(value) === undefined ? text(value) : inJson(value)),
    header: (name: string, content: string): string =>
      isSecretHeader(name) ? words.of(content) : text(content),
  }
}
