/** Error answers as templates, in which names replace what the answer repeats of the request. */
import { getOrInsert } from '../../contract/memoised.js'
import { bare, filled, fills, rewritten, spellings } from '../../contract/templates.js'
import { isObject } from '../../oracle/json.js'
import type { Pair } from '../copy/emulator.js'

export interface LiteralAnswer {
  readonly status: number
  readonly code: number | 'status' | null
  readonly message: string
  readonly members: Readonly<Record<string, unknown>>
}

/** Makes templates of the answers to these calls; a name is used where it explains most of their texts. */
export function templates(pairs: readonly Pair[], codesAreStatuses: boolean): (pair: Pair) => LiteralAnswer {
  const write = writer(pairs)
  return (pair) => {
    const { status, json } = pair.recorded.seen
    const { message, code, ...members } = json as Record<string, unknown>
    return {
      status,
      code: typeof code !== 'number' ? null : codesAreStatuses ? 'status' : code,
      message: write(String(message ?? ''), pair),
      members: Object.fromEntries(
        Object.entries(members).map(([name, value]) => [name, rewritten(value, (text) => write(text, pair))]),
      ),
    }
  }
}

/** Returns a function that writes a text as the template that explains most texts of the target and fails for fewest. */
function writer(pairs: readonly Pair[]): (text: string, pair: Pair) => string {
  const explained = new Map<string, { texts: Set<string>; times: number }>()
  /** For each template without its names, the texts that can be written in this form. */
  const uses = new Map<string, Set<{ readonly pair: Pair; readonly text: string }>>()
  /** Texts that also occur where they repeat nothing of the request: they are the target's own words. */
  const words = new Set<string>()
  const known = new Map<string, readonly Candidate[]>()
  const candidates = (text: string, pair: Pair) =>
    getOrInsert(known, `${pair.recorded.n} ${text}`, () => candidatesOf(text, pair))
  for (const pair of pairs)
    for (const text of textsIn(pair.recorded.seen.json)) {
      const use = { pair, text }
      const all = candidates(text, pair)
      if (all.length === 1) words.add(use.text)
      for (const { template } of all) {
        const { texts = new Set<string>(), times = 0 } = explained.get(template) ?? {}
        explained.set(template, { texts: texts.add(text), times: times + 1 })
        uses.set(bare(template), (uses.get(bare(template)) ?? new Set()).add(use))
      }
    }
  const wrong = new Map<string, number>()
  const wrongOf = (template: string) =>
    getOrInsert(wrong, template, () => {
      const texts = new Set<string>()
      for (const { pair, text } of template.includes('{') ? (uses.get(bare(template)) ?? []) : []) {
        const parameters = pair.replayed.cause?.parameters ?? {}
        if (fills(template, parameters) && filled(template, parameters) !== text) texts.add(text)
      }
      return texts.size
    })
  return (text, pair) => {
    const weights = candidates(text, pair).map(({ template, odds, quoted }) => {
      const { texts, times } = explained.get(template) ?? { texts: new Set<string>(), times: 0 }
      return { template, weight: [texts.size - wrongOf(template) - quoted, times, odds] as const }
    })
    const [best] = weights.sort(({ weight: [a, b, c] }, { weight: [x, y, z] }) => x - a || y - b || z - c)
    // A text that equals one value of the request may do so by chance, so the target's own words stay as they are.
    return best === undefined || (bare(best.template) === '{}' && words.has(text)) ? text : best.template
  }
}

interface Candidate {
  readonly template: string
  /** How likely the template is; it decides between templates that explain equally much. */
  readonly odds: number
  /** How much speaks against the template because it still quotes values of the request. */
  readonly quoted: number
}

const MOST = 200

/** All readings of a text: each value of the request in it is repeated under one of its names, or is there by chance. */
function candidatesOf(text: string, { replayed }: Pair): Candidate[] {
  let found: Candidate[] = [{ template: text, odds: 0, quoted: 0 }]
  const values = valuesOf(replayed.cause?.parameters ?? {}).filter(([value]) => standsIn(text, value))
  for (const [value, names] of values) {
    found = found.flatMap((candidate) => {
      const odds = candidate.odds + chanceOf(text, value, names)
      if (!standsIn(candidate.template, value)) return [{ ...candidate, odds }]
      const kept = { ...candidate, odds, quoted: candidate.quoted + (isQuotedIn(text, value) ? 0.5 : 0) }
      // A text such as "type must be of type string" has one of its words by chance.
      const ways = [place(value), ...(isTwiceIn(candidate.template, value) ? [place(value, '')] : [])]
      const named = names.slice(0, 6).flatMap((name, rank) =>
        ways.map((way) => ({
          ...candidate,
          template: candidate.template.replace(way, `{${name}}`),
          odds: candidate.odds + 0.5 - rank / 100,
        })),
      )
      return [...named, kept]
    })
    if (found.length > MOST) found = found.sort((a, b) => b.odds - a.odds).slice(0, MOST)
  }
  return found
}

/** Each value of the request with its names; the longest values come first. */
function valuesOf(parameters: Readonly<Record<string, string>>): [string, string[]][] {
  const names = new Map<string, string[]>()
  const add = (value: string, name: string) => {
    if (value.length > 0 && value.length < 200) names.set(value, [...(names.get(value) ?? []), name])
  }
  for (const [name, value] of Object.entries(parameters)) add(value, name)
  for (const [name, value] of Object.entries(parameters)) {
    if (value.trim() !== value) add(value.trim(), `${name}|trim`)
    if (value.toLowerCase() !== value) add(value.toLowerCase(), `${name}|lower`)
    if (!/^(0|last|operation|type\.at)$/.test(name) || !/^[a-z_.\d]+$/.test(value)) continue
    // One way to write paths explains those of one name, too.
    const isPath = (how: string) => name === 'type.at' && /^(slashes|brackets)$/.test(how)
    for (const [how, write] of Object.entries(spellings))
      if (write(value) !== value || isPath(how)) add(write(value), `${name}|${how}`)
  }
  return [...names].sort(([a], [b]) => b.length - a.length)
}

/** How likely a value stands in a text by chance: a word of the document may, unless quoted; a made-up value may not. */
function chanceOf(text: string, value: string, names: readonly string[]): number {
  if (isQuotedIn(text, value)) return 0
  if (value.length < 3 || kinds.has(value)) return 1
  return names.every((name) => /^(0|1|last|type\..*)$/.test(name)) && /^[a-z_.]+$/.test(value) ? 1 : 0
}

const isQuotedIn = (text: string, value: string) =>
  new RegExp(`["'\`«„“‘]${escaped(value)}["'\`»“”’]`).test(text)

const kinds = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'list', 'null', 'text'])
const standsIn = (text: string, value: string) => place(value).test(text)
const isTwiceIn = (text: string, value: string) => (text.match(place(value)) ?? []).length > 1

const place = (value: string, flags = 'g') =>
  new RegExp(`${/^\w/.test(value) ? '(?<![\\w{.|])' : ''}${escaped(value)}(?![\\w}|])`, flags)

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** All texts of an answer, with the names of its members except those at the top level. */
function textsIn(json: unknown, depth = 0): string[] {
  if (typeof json === 'string') return [json]
  const names = isObject(json) && depth > 0 ? Object.keys(json) : []
  return typeof json === 'object' && json !== null
    ? [...names, ...Object.values(json).flatMap((item) => textsIn(item, depth + 1))]
    : []
}
