/** A JSON text as nodes that know where they stand, so that a part can be replaced and the rest stays as it was written. */
export type JsonNode = JsonLeaf | JsonList | JsonObject

interface Placed {
  readonly from: number
  readonly to: number
}

interface JsonLeaf extends Placed {
  readonly kind: 'leaf'
  readonly value: string | number | boolean | null
}

interface JsonList extends Placed {
  readonly kind: 'list'
  readonly items: readonly JsonNode[]
}

interface JsonObject extends Placed {
  readonly kind: 'object'
  /** In the order of the text; a name may stand there twice. */
  readonly members: readonly (readonly [name: JsonLeaf, value: JsonNode])[]
}

/** Of a text that `JSON.parse` takes. */
export function jsonNodes(text: string): JsonNode {
  let at = 0

  function node(): JsonNode {
    skipBlanks()
    const from = at
    if (text[at] === '[') {
      const items = parts(']')
      return { kind: 'list', from, to: at, items }
    }
    if (text[at] !== '{') return leaf()
    const all = parts('}')
    const members = all.flatMap((name, index) => {
      const value = all[index + 1]
      return index % 2 === 0 && name.kind === 'leaf' && value ? [[name, value] as const] : []
    })
    return { kind: 'object', from, to: at, members }
  }

  function parts(end: string): JsonNode[] {
    const found: JsonNode[] = []
    at++
    for (skipBlanks(); text[at] !== end; skipBlanks()) {
      if (text[at] === ',' || text[at] === ':') at++
      else found.push(node())
    }
    at++
    return found
  }

  function leaf(): JsonLeaf {
    const from = at
    if (text[at] === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++
      at++
    } else while (at < text.length && !' \t\n\r,:]}'.includes(text[at] as string)) at++
    return { kind: 'leaf', from, to: at, value: JSON.parse(text.slice(from, at)) }
  }

  function skipBlanks(): void {
    while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at++
  }

  return node()
}

export interface Edit extends Placed {
  readonly value: unknown
}

/** The text with values in the place of nodes, which come in the order of the text. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  let done = 0
  let out = ''
  for (const { from, to, value } of edits) {
    out += text.slice(done, from) + JSON.stringify(value)
    done = to
  }
  return out + text.slice(done)
}
