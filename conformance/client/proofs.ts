/**
 * What stands at an address, as a read of this run has shown it. Nothing else counts: an id that a creation tells is
 * hearsay until the page at that id shows the made-up words of the thing.
 */
import type { Profile } from '../contract/index.js'
import { listsIn, withoutLists } from '../oracle/json.js'
import type { Answer, Ask, Call } from './call.js'
import type { Callers } from './callers.js'
import type { Entry, Ledger } from './ledger.js'
import { idsIn, integerIn, isObject, namesOf, pointersTo, recordsAround, valueAt, values } from './look.js'

export type ThingKind = 'user' | 'customField'

/** An entry of the ledger: it is that thing of the run's own. `other`: something else, or nobody can tell. */
type Standing = Entry | 'nothing' | 'other'

/** Operations that show the thing at an address; the first that the tracker has is read. */
const pages = {
  user: ['getUser', 'getUserEditPage'],
  customField: ['getCustomFieldUpdatePage', 'listCustomFields'],
} as const
const parameters = { user: 'user_id', customField: 'field_id' } as const

/** The number of ids of an answer that are tried, the nearest to the name first. */
const MOST_CANDIDATES = 6
/** The number of listed ids that an entry keeps. */
const MOST_LISTED = 300

export function createProofs(ask: Ask, ledger: Ledger, profile: Profile, { nameOf }: Callers) {
  const NOBODY = `${ledger.tag}nobody`
  const answers = new Map<string, Answer>()
  /** Whether pages show the words of their own thing only. */
  const places = { user: new Set<string>(), customField: new Set<string>() }
  const keyOf = (kind: ThingKind, address: string) => `${kind} ${address}`

  const { notImplemented = [] } = profile
  const pageOf = (kind: ThingKind) =>
    pages[kind].find((one) => !notImplemented.includes(one)) ?? pages[kind][0]

  async function shownAt(kind: ThingKind, address: string): Promise<Answer> {
    const operation = pageOf(kind)
    if (operation !== 'listCustomFields') return ask({ operation, path: { [parameters[kind]]: address } })
    const listed = await ask({ operation })
    const json = rowsIn(listed.json).find((row) => idsIn(row).slice(0, 1).map(String).includes(address))
    // A list may have pages, so it does not show that a field is absent.
    return json ? { ...listed, json } : { ...listed, status: 501, json }
  }

  async function read(kind: ThingKind, address: string, fresh = false): Promise<Answer> {
    const key = keyOf(kind, address)
    const answer = (fresh ? undefined : answers.get(key)) ?? (await shownAt(kind, address))
    answers.set(key, answer)
    return answer
  }

  /** The thing at a path identifier. */
  async function at(kind: ThingKind, address: string): Promise<Standing> {
    const answer = await read(kind, address)
    if (answer.status === 404) return 'nothing'
    if (answer.status !== 200) return 'other'
    const mayBe = (entry: Entry) => isAddressedBy(entry, address) || entry.told.map(String).includes(address)
    const named = ledger.known.filter((entry) => entry.kind === kind && mayBe(entry))
    // Another thing may get a former or refused name. Made-up words and ids belong to one thing only.
    const texts = values(answer.json).filter((value) => typeof value === 'string')
    const shown = new Set(texts.flatMap((text) => text.toLowerCase().split(/[^a-z0-9]+/)))
    const hasId = (entry: Entry) => {
      const places = pointersTo(answer.json, (value) => hasWords(value, entry))
      return entry.id !== null && idsAround(answer.json, places).includes(entry.id)
    }
    const rank = (entry: Entry) =>
      (hasId(entry) ? 8 : 0) +
      (entry.name === address && entry.state !== 'refused' ? 4 : 0) +
      (entry.words.some((word) => shown.has(word.toLowerCase())) ? 2 : 0) +
      (entry.state === 'done' ? 1 : 0)
    for (const entry of named.reverse().sort((a, b) => rank(b) - rank(a))) {
      const isKnown = isAddressedBy(entry, address)
      if (!isKnown && (entry.id !== null || isTaken(entry, Number(address)))) continue
      if (!(await isOf(kind, entry, address, answer))) continue
      if (!isKnown) ledger.set(entry, { id: Number(address) })
      return entry
    }
    return 'other'
  }

  /** Two things may share a name, and a lying answer may give one id for both, or that of an older thing. */
  function isTaken(entry: Entry, id: number): boolean {
    const isOther = (one: Entry) => one.kind === entry.kind && one !== entry && one.state !== 'gone'
    if (ledger.open.some((one) => isOther(one) && one.id === id)) return true
    return entry.kind === 'customField' && Array.isArray(entry.value) && entry.value.includes(id)
  }

  async function isOf(kind: ThingKind, entry: Entry, address: string, answer: Answer): Promise<boolean> {
    const shown = pointersTo(answer.json, (value) => hasWords(value, entry))
    if (shown.length === 0) return kind === 'user' && entry.fresh.includes(address)
    // A page for an absent address may repeat the address, which proves nothing.
    const nobody = isNamed(entry, address) ? await read(kind, NOBODY) : null
    const found = shown.filter((place) => !String(valueAt(nobody?.json, place)).includes(NOBODY))
    if (!found.some((place) => places[kind].has(place))) {
      const control = await controlFor(kind, entry, address)
      // Words that the page of another thing shows, too, prove nothing either.
      const isOfAll = (place: string) =>
        control
          ? hasWords(valueAt(control.json, place), entry)
          : !isNamed(entry, address) && !isBeside(answer.json, place, address)
      const telling = found.filter((place) => !isOfAll(place))
      if (telling.length === 0) return false
      for (const place of telling) places[kind].add(place)
    }
    // A page may show that it is about another id.
    const ids = idsAround(answer.json, found).map(String)
    return isNamed(entry, address) || ids.length === 0 || ids.includes(address)
  }

  /** The page of another thing of that kind; null where none is known. */
  async function controlFor(kind: ThingKind, { entry, id }: Entry, asked: string): Promise<Answer | null> {
    const siblings = ledger.open.filter(
      (one) => one.kind === kind && one.entry !== entry && one.name !== '' && one.state !== 'gone',
    )
    const addresses =
      kind === 'user'
        ? [profile.user?.username, ...siblings.map(({ name }) => name), await nameOf('administrator')]
        : [...siblings.map((one) => one.id), ...(profile.customField?.ids ?? []), ...(await listedIds())]
    const others = addresses
      .map((address) => String(address ?? ''))
      .filter((address) => !['', String(id), asked].includes(address))
    for (const address of others.slice(0, 3)) {
      // Read again, since pages of other things may show new things.
      const answer = await read(kind, address, true)
      if (answer.status === 200) return answer
    }
    return null
  }

  let listedBefore: Promise<readonly number[]> | null = null

  async function listedIds(): Promise<number[]> {
    const { json } = await ask({ operation: 'listCustomFields' })
    return rowsIn(json).flatMap((row) => idsIn(row).slice(0, 1))
  }

  /** The id of a thing, taken from an answer and proven by the page at that id; null where no page proves one. */
  async function adopt(entry: Entry, shown: Answer | null): Promise<number | null> {
    if (entry.kind !== 'user' && entry.kind !== 'customField') return null
    const told = new Set([...(shown ? candidatesIn(shown.json, entry) : []), ...entry.told])
    for (const id of [...told].slice(0, MOST_CANDIDATES)) {
      if (isTaken(entry, id)) continue
      const answer = await read(entry.kind, String(id), true)
      if (answer.status !== 200 || !(await isOf(entry.kind, entry, String(id), answer))) continue
      ledger.set(entry, { id })
      return id
    }
    return null
  }

  return {
    at,
    adopt,
    /** What stands at an address, as it was read; `fresh` reads it again. */
    read,
    /** Whether reads show words of such things; undefined until one did. */
    shows: (kind: ThingKind) => places[kind].size > 0,
    /** Called after a change of the thing at these addresses. */
    forget(kind: ThingKind, ...addresses: readonly string[]) {
      for (const address of addresses) answers.delete(keyOf(kind, address))
    },
    /** Called after a creation or a deletion: a tracker may give an old id to a new thing. */
    recount(kind: ThingKind) {
      for (const key of answers.keys()) if (key.startsWith(`${kind} `) && /\d/.test(key)) answers.delete(key)
    },
    /** Called before the first creation: fields that are listed then do not belong to the run. */
    beforeFields() {
      listedBefore ??= listedIds().then((ids) => ids.slice(0, MOST_LISTED))
      return listedBefore
    },
    /** Keeps an ordinary read, so that the guard need not send it again. */
    note(call: Call, answer: Answer) {
      const plain = call.authorization === undefined && (call.as ?? 'administrator') === 'administrator'
      if (!plain || call.query !== undefined || call.suffix !== undefined || call.headers) return
      for (const kind of ['user', 'customField'] as const)
        if (call.operation === pageOf(kind) && call.path)
          answers.set(keyOf(kind, String(call.path[parameters[kind]])), answer)
    },
  }
}

/** Only the rows of lists, since types and levels have ids, too. */
const rowsIn = (json: unknown) => listsIn(json).flat().filter(isObject)

/** The number at the beginning of a path identifier, which some trackers read as an id; undefined where there is none. */
export const leadingNumber = (address: string): string | undefined => /^[-+\s]*(\d+)/.exec(address)?.[1]

/** An integer that no tracker has reached by counting, neither as a whole nor in its last 32 bits. */
export const isLarge = (text: string): boolean =>
  /^-?[1-9]\d{8,}$/.test(text) && BigInt.asUintN(32, BigInt(text)) > 900_000_000n

// A tracker may trim blanks.
const isNamed = (entry: Entry, address: string) =>
  namesOf(entry).some((name) => name === address || name.trim() === address)
function isAddressedBy(entry: Entry, address: string): boolean {
  // A read may compare the whole name, while a change reads the number at its beginning as another user's id.
  const number = leadingNumber(address)
  const isName = number === undefined || isLarge(number)
  return (entry.kind === 'user' && isNamed(entry, address) && isName) || String(entry.id) === address
}

/** Matches a whole name or word of the thing, in any case and beside other words. */
function hasWords(value: unknown, entry: Entry): boolean {
  if (typeof value !== 'string') return false
  const text = value.toLowerCase()
  if (namesOf(entry).some((name) => name.trim() !== '' && text.trim() === name.trim().toLowerCase()))
    return true
  const counted = new RegExp(`^${entry.tag}x[a-z]{3}$`)
  const found = text.split(/[^a-z0-9]+/)
  return entry.words
    .map((word) => word.toLowerCase())
    .some((word) => found.some((one) => one === word || (counted.test(word) && one.startsWith(word))))
}

/** Whether the record itself has the id. A page may show words of other things around it. */
function isBeside(json: unknown, place: string, address: string): boolean {
  const record = valueAt(json, place.slice(0, place.lastIndexOf('/')))
  return isObject(record) && idsIn(record).map(String).includes(address)
}

/** The ids of each record around a place, the nearest first. */
const idsNear = (json: unknown, place: string): number[][] =>
  recordsAround(json, place).map(({ record }) => idsIn(record))

/** For each place, the ids of the nearest record with an id. */
const idsAround = (json: unknown, found: readonly string[]): number[] =>
  found.flatMap((place) => idsNear(json, place).find(({ length }) => length > 0) ?? [])

/** Integers of an answer that may be the id of a thing, the nearest to its name first; in a list only those near its name. */
export function candidatesIn(json: unknown, entry: Pick<Entry, 'name' | 'also' | 'words'>): number[] {
  const places = pointersTo(json, (value) => hasWords(value, entry as Entry))
  const near = places.flatMap((place) => idsNear(json, place).flat())
  const further = values(withoutLists(json))
  const ids = further.filter(isObject).flatMap((record) => idsIn(record))
  return [...new Set([...near, ...ids, ...further.flatMap(integerIn)])]
}
