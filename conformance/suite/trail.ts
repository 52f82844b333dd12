/**
 * What led to an answer: of the requests of one check's attempt those that could change something or were judged, as far
 * as they are about the same things, and before them the creations of what they name.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Answer, Call } from '../client/call.js'
import { isDone } from '../client/judge.js'
import { pointersTo } from '../client/look.js'
import { operation as contractOf } from '../contract/index.js'
import { shared } from './resources.js'

/** An answer, with what was asked for it. */
export interface Asked {
  readonly call: Call
  readonly answer: Answer
}

/** What led to one answer, which stands at its end. */
export interface Led {
  readonly asked: readonly Asked[]
  /** How many that came before were left out. */
  readonly more: number
  /** Not where another attempt has asked, and what is shared may have been otherwise then. */
  readonly whole: boolean
}

export interface Noted extends Asked {
  readonly place: number
}

export interface Trail {
  /** Of a new attempt, to which nothing has led yet. */
  begin(): void
  /** With a trail of its own for what `act` asks, however much is asked beside it. */
  beside<T>(act: () => Promise<T>): Promise<T>
  note(answer: Answer, call: Call): void
  judged(answer: Answer): void
  /** What has led so far. */
  readonly kept: readonly Noted[]
  /** Of another attempt, whose answers this one judges too. */
  recall(led: readonly Noted[]): void
  to(answer: Answer): Led
}

/** Of an attempt, so that a long one stays cheap. */
const MOST_KEPT = 200
/** Creations of a run: what checks share was made by one of the last. */
const MOST_CREATIONS = 200
const MOST_LED = 40

export interface Words {
  /** The made-up words in a text; each of them is of one thing of the run. */
  in(text: string): readonly string[]
  /** Of the thing that a call names by its id. */
  ofId(call: Call): string | null
}

/** One attempt, as far as it has come. */
interface Attempt {
  kept: Noted[]
  begun: number
}

// One for all runs: Node takes each that there ever was along through every step.
const lanes = new AsyncLocalStorage<Attempt>()

export function createTrail(words: Words): Trail {
  const alone: Attempt = { kept: [], begun: 0 }
  const attempt = () => lanes.getStore() ?? alone
  const creations: Noted[] = []
  const noted = new WeakMap<Answer, Noted>()
  let last = 0

  const keep = (one: Noted) => {
    const { kept } = attempt()
    if (kept.includes(one)) return
    kept.push(one)
    if (kept.length > MOST_KEPT) kept.shift()
  }

  return {
    begin() {
      Object.assign(attempt(), { kept: [], begun: last })
    },
    beside: (act) => lanes.run({ kept: [], begun: last }, act),
    note(answer, call) {
      last += 1
      const one = { answer, call, place: last }
      noted.set(answer, one)
      if (contractOf(call.operation).method === 'GET') return
      keep(one)
      if (!isDone(answer) || !isCreation(call)) return
      creations.push(one)
      if (creations.length > MOST_CREATIONS) creations.shift()
    },
    judged(answer) {
      const one = noted.get(answer)
      if (one) keep(one)
    },
    get kept() {
      return attempt().kept
    },
    recall(led) {
      for (const one of led) keep(one)
    },
    to(answer) {
      const { kept, begun } = attempt()
      const end = noted.get(answer)
      if (end === undefined) return { asked: [], more: 0, whole: false }
      const before = new Set([...creations, ...kept].filter(({ place }) => place < end.place))
      const all = leadingTo(end, [...before].toSorted(byPlace), kept, words)
      const asked = all.slice(-MOST_LED)
      const { operation } = end.call
      const isRead = contractOf(operation).method === 'GET'
      const whole = end.place > begun || isRead || shared[operation] === undefined
      return { asked, more: all.length - asked.length, whole }
    },
  }
}

/** From the end back: what is about a thing that something later names. */
function leadingTo(
  end: Noted,
  before: readonly Noted[],
  ofAttempt: readonly Noted[],
  words: Words,
): readonly Asked[] {
  const wanted = new Set(wantedBy(end.call, words))
  const found: Noted[] = [end]
  const wordsFrom = (call: Call) => {
    const origin = originOf(call, before)
    return [...ownWords(call, words), ...(origin ? ownWords(origin.made.call, words) : [])]
  }
  for (const word of wordsFrom(end.call)) wanted.add(word)
  for (const one of before.toReversed()) {
    const given = [...givenBy(one.call, words), ...wordsFrom(one.call)]
    const isOther = !ofAttempt.includes(one)
    if (!given.some((key) => wanted.has(key)) || (isOther && !isCreation(one.call))) continue
    found.unshift(one)
    for (const word of wordsFrom(one.call)) wanted.add(word)
  }
  return found
}

const byPlace = (one: Noted, other: Noted) => one.place - other.place

export interface Origin {
  readonly made: Asked
  /** Where its answer shows the id. */
  readonly pointer: string
}

/** The number by which a call names a user or a field; null where it names none so. */
export function idIn({ path }: Call): number | null {
  const given = path?.user_id ?? path?.field_id
  const id = Number(given)
  return given !== undefined && given !== '' && Number.isInteger(id) ? id : null
}

/** The creation whose answer tells the id that a call names. */
export function originOf(call: Call, asked: readonly Asked[]): Origin | null {
  const id = idIn(call)
  if (id === null) return null
  const creates = call.path?.field_id === undefined ? 'createUser' : 'createCustomField'
  for (const made of asked.toReversed()) {
    if (made.call.operation !== creates || !isDone(made.answer)) continue
    const pointers = pointersTo(made.answer.json, (value) => value === id || value === String(id))
    const pointer =
      pointers.find((one) => /^(\/[^/]+)?\/id$/.test(one)) ?? pointers.find((one) => /id$/i.test(one))
    if (pointer !== undefined) return { made, pointer }
  }
  return null
}

const isCreation = ({ operation }: Call) => operation === 'createUser' || operation === 'createCustomField'

function ownWords(call: Call, words: Words): string[] {
  const { path, query, body, rawBody } = call
  const named = words.ofId(call)
  return [...words.in(JSON.stringify([path, query, body, rawBody])), ...(named === null ? [] : [named])]
}

function wantedBy(call: Call, words: Words): string[] {
  const { operation } = call
  return [
    ...ownWords(call, words),
    ...(shared[operation] === undefined ? [] : [shared[operation]]),
    // A list is about all of them.
    ...(operation === 'listCustomFields' ? ['fields'] : []),
    // A deletion may have taken another field along.
    ...(call.path?.field_id === undefined ? [] : ['deletions']),
    ...(call.as === 'password' ? ['password'] : []),
  ]
}

function givenBy(call: Call, words: Words): string[] {
  const isField = call.operation.endsWith('CustomField')
  const given = wantedBy(call, words).filter((key) => key !== 'deletions')
  return [
    ...given,
    ...(isField ? ['fields'] : []),
    ...(call.operation === 'deleteCustomField' ? ['deletions'] : []),
  ]
}
