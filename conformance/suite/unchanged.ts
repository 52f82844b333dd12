/**
 * Whether what answers show is as it was, without a name of any member: a look afterwards is compared with one before. What
 * differs between two looks, or once more after requests that have nothing to do with it, is noise.
 */
import type { Answer, Call } from '../client/call.js'
import { isObject } from '../client/look.js'
import { isMoment } from '../client/survey.js'
import { missing } from './existing.js'
import { walk } from './facts.js'
import type { Check, Shown } from './types.js'

type Changed = Shown & { readonly place: string }

type Look = (ask: Check['send']) => Promise<readonly Answer[]>

/** An answer may tell of what was asked for lately, be it refused. */
async function askForNothing(t: Check): Promise<true> {
  const person = { realname: `Nobody of ${t.run.tag}` }
  await t.send({ operation: 'updateUser', path: { user_id: missing.username(t) }, body: person })
  await t.send({
    operation: 'updateCustomField',
    path: { field_id: missing.id(t) },
    body: t.run.own.fieldBody(),
  })
  return true
}

interface Watching {
  /** What is shown differently the second time is not told apart, so only that nothing has changed says something. */
  readonly once?: boolean
  /**
   * What is asked for to tell the noise apart. It changes nothing that is looked at. False where it was not done, so that
   * nothing can be told.
   */
  readonly meanwhile?: (t: Check) => Promise<boolean>
  /** A text of somebody who may change: a record that has it is left out, on whosever page it stands. */
  readonly without?: string
}

/** By which what changes by itself is told from what was changed. */
const MORE_LOOKS = 4

/**
 * Looks twice, at first at what was seen since the last change, where it was. What is returned looks again: the first place
 * that is not as it was; null where there is none.
 */
export async function watch(
  t: Check,
  look: Look,
  { once = false, meanwhile = askForNothing, without }: Watching = {},
): Promise<() => Promise<Changed | null>> {
  const places = (answers: readonly Answer[], ordered = false) => placesIn(answers, { ordered, without })
  const first = places(await look(t.look))
  const before = once ? first : places(await look(t.send))
  return async () => {
    const answers = await look(t.send)
    const after = places(answers)
    const noise = new Set(differing(first, before).map(areaOf))
    const changed = differing(before, after).filter((one) => !noise.has(areaOf(one)))
    const ordered = places(answers, true)
    const place = () => changed.find((one) => !noise.has(areaOf(one)))
    // Often, since what has two values by chance is seldom another one at once.
    for (let times = 0; times < MORE_LOOKS && place() !== undefined; times += 1) {
      if (!(await meanwhile(t))) return null
      const later = places(await look(t.send), true)
      for (const one of differing(ordered, later)) noise.add(areaOf(one))
    }
    const found = place()
    if (found === undefined) return null
    const shownBy = answers.find(({ operation }) => found.includes(operation))
    return { place: found, expected: shortly(before.get(found)), seen: shortly(after.get(found)), shownBy }
  }
}

type Places = ReadonlyMap<string, string>

const differing = (some: Places, others: Places) =>
  [...new Set([...some.keys(), ...others.keys()])].filter((one) => some.get(one) !== others.get(one))

/** The list that a place is in: where one of its records comes and goes, any of its places may change. */
const areaOf = (place: string) => place.replace(/\*[^*]*$/, '*')

interface Attempts {
  readonly look: Look
  readonly requests: readonly { readonly what: string; readonly call: Call }[]
}

/**
 * Judges that none of the requests changes what `look` shows where it is refused with 400: all together at first and,
 * where one was served or something has changed, each by itself, about another thing that `make` gives.
 */
export async function refusedDoNothing(t: Check, make: () => Promise<Attempts>): Promise<void> {
  const { look, requests } = await make()
  const unchanged = await watch(t, look, { once: true })
  const refused: number[] = []
  for (const [index, { call }] of requests.entries())
    if ((await t.send(call)).status === 400) refused.push(index)
  // Where nothing was refused there is nothing to be left undone.
  if (refused.length === 0) return t.pass()
  if (refused.length === requests.length && (await unchanged()) === null) return t.pass()
  const again = await make()
  const changed = await watch(t, again.look)
  for (const { what, call } of again.requests.filter((_, index) => refused.includes(index))) {
    const answer = await t.send(call)
    const shown = answer.status === 400 ? await changed() : null
    const message = `${what} was refused, and has changed ${shown?.place}`
    if (!t.verify(shown === null, message, answer, call.operation, shown ?? {})) return
  }
}

const shortly = (fact = 'nothing') => (fact.length > 200 ? `${fact.slice(0, 200)}…` : fact)

/**
 * What stands at each place. The records of a list share their places, in whatever order they stand unless that counts. Of
 * an answer that is no success the status alone: its words may be others each time.
 */
function placesIn(
  answers: readonly Answer[],
  { ordered, without }: { readonly ordered: boolean; readonly without: string | undefined },
): Places {
  const facts = new Map<string, string[]>()
  const add = (place: string, value: unknown) => {
    const all = facts.get(place) ?? []
    all.push(isMoment(value) ? 'a moment' : (JSON.stringify(value) ?? 'nothing'))
    facts.set(place, all)
  }
  for (const { operation, status, json } of answers) {
    add(`the status of ${operation}`, status)
    if (status !== 200) continue
    walk(without === undefined ? json : withoutRecords(json, without), {
      onScalar: (value, _, loose) => add(`${operation} ${loose}`, value),
      onPlainList: (list, loose) => add(`${operation} ${loose}`, list),
    })
  }
  return new Map([...facts].map(([place, values]) => [place, (ordered ? values : values.toSorted()).join()]))
}

function withoutRecords(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutRecords(item, text))
  if (!isObject(value)) return value
  if (Object.values(value).includes(text)) return null
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutRecords(item, text)]))
}
