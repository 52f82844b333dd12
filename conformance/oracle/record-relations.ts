/** Relations of given values and shown values. */
import { firstNames, isTime, marksOf } from './callers.js'
import { contradictions } from './contradictions.js'
import { type Exchange, withoutLinks } from './exchange.js'
import { did } from './finding.js'
import { brief, byLabel, folded, groupBy, type JsonObject, labelOf, listsIn, scalars } from './json.js'
import { leavesOf } from './leaves.js'
import { lostChanges } from './lost-changes.js'
import { keeping } from './operations.js'
import { mayHide, type Place } from './places.js'
import { isServed, membersOf, type Request } from './request.js'
import { must, type Relation } from './statement.js'
import type { Leaf, Sight } from './things.js'

/** The refusal of an update that a tracker checks as a whole: it may store a definition before it checks the projects. */
const isPlainRefusal = ({ op, status, isConcurrent, body }: Request): boolean =>
  /^update(User|CustomField)$/.test(op) &&
  [400, 403].includes(status) &&
  !isConcurrent &&
  membersOf({ body }).projects === undefined

export const recordRelations: readonly Relation[] = [
  {
    ...must('stored', '2', keeping),
    statement: 'An answer shows the last value of each member that it shows.',
    *each(request, { requests }) {
      const { op, n, address, caller, answer } = request
      if (!/^get(User|UserEditPage|CustomFieldUpdatePage)$/.test(op) || !isServed(request)) return
      const isSame = (one: Request) => one.op === op && one.address === address && one.caller === caller
      const before = requests.findLast((one) => one.n < n && isSame(one) && isServed(one))
      const asked = requests.filter((one) => one.n > (before?.n ?? n) && one.n < n && !one.isRead)
      const refused = asked.filter((one) => one.address === address && isPlainRefusal(one))
      const last = refused.at(-1)
      if (!before || !last) return
      // A change that was served, or is lost, may have given it, under another name of the thing, too.
      const others = asked.filter((one) => !refused.includes(one)).flatMap(({ body }) => scalars(body))
      const texts = refused.flatMap(({ body }) => scalars(body)).filter((text) => !others.includes(text))
      const given = new Set<unknown>(texts)
      const [earlier, shown] = [leavesOf(before.answer), new Set<unknown>(scalars(before.answer))]
      // Only in the place of another value: a page may tell what was refused last.
      const isStored = ([path, leaf]: [string, Leaf]) =>
        given.has(leaf) && !shown.has(leaf) && String(leaf).length > 5 && earlier.has(path)
      const [place, text] = [...leavesOf(answer)].find(isStored) ?? []
      const says = `${op} shows ${brief(text)}, not ${brief(earlier.get(place ?? ''))}`
      const witnesses = [did(before.n, 'showed another value'), did(last.n, 'was refused')]
      const about = { op: last.op, n, says, witnesses, evidence: 2 }
      yield { ...about, isRight: place === undefined, ...(place && { place }) }
    },
    *end(world, places) {
      const told = [...contradictions(places, world)]
      const blamed = new Set(told.flatMap(({ isRight, op }) => (isRight ? [] : op)))
      yield* [...told, ...[...lostChanges(world)].filter(({ op }) => !blamed.has(op))]
      for (const { right, attribute } of places)
        for (const { facts, op, n } of right) yield { op: facts.get(attribute)?.by ?? op, n, isRight: true }
    },
  },
  {
    ...must('whole', '7', ['createUser', 'updateUser', 'createCustomField', 'updateCustomField']),
    statement: 'A tracker stores a whole text: it neither cuts it at a character nor replaces one.',
    *end(world, places) {
      const byView = groupBy(world.sights, ({ view }) => view)
      const all = places.flatMap(({ view, attribute, path }) =>
        (byView.get(view) ?? []).flatMap((sight) => {
          const fact = sight.facts.get(attribute)
          if (fact?.possible !== null || sight.lastChange !== fact.n || mayHide(sight, path, attribute))
            return []
          const { given } = fact
          const signs = typeof given === 'string' && signsOf(given)
          const shown = String(sight.leaves.get(path) ?? '')
          // Another member, such as one for sorting, may show the text in a simpler form.
          const isGiven = ([at, leaf]: [string, Leaf]) => at !== path && folded(leaf) === folded(given)
          if (!signs || [...sight.leaves].some(isGiven)) return []
          return [{ sight, fact, given: String(given), shown, key: `${attribute} ${signs}` }]
        }),
      )
      const isWhole = ({ given, shown }: (typeof all)[number]) => folded(shown) === folded(given)
      const whole = all.filter(isWhole)
      const kept = new Set(whole.map(({ key }) => key))
      // A page may have the text as HTML that another view shows as it was given.
      const isOnPage = ({ fact, given, shown }: (typeof all)[number]) =>
        whole.some((one) => one.fact.n === fact.n) && unquoted(shown) === unquoted(given)
      for (const one of all) {
        const { sight, fact, given, shown, key } = one
        // A text that is cut behind such a sign is cut because of its length.
        const isCut = shown.length > 0 && given.startsWith(shown) && !signsOf(shown)
        const isBroken = shown.includes('?') || shown === misread(given)
        const isRight = isWhole(one) || isOnPage(one) || (!isCut && !isBroken && !kept.has(key))
        const says = `${brief(given)} is shown as ${brief(shown)}`
        yield { op: fact.by ?? sight.op, n: sight.n, isRight, says, witnesses: [did(fact.n, 'gave it')] }
      }
    },
  },
  {
    ...must('own-record', '4.1', ['getUser', 'getUserEditPage', 'getCustomFieldUpdatePage']),
    statement: 'An answer shows the thing that the path names.',
    *end(world, places) {
      const known = world.of('known').flatMap(({ name, id }) => (id === undefined ? [] : [[name, id]]))
      const others = {
        user: [marksOf(world.requests).get('administrator') ?? [], ...known],
        field: [firstNames(world.requests)],
      }
      const views = new Set(world.sights.map(({ view }) => view))
      for (const view of views) {
        const sights = world.sights.filter((one) => one.view === view && one.thing.kind !== 'known')
        const [first] = sights
        const things = new Set(sights.map(({ thing }) => thing)).size
        if (!first || /^(list|answer)/.test(view) || things < 3) continue
        const { kind } = first.thing
        if (kind !== 'user' && kind !== 'field') continue
        const isNamed = ({ attribute }: Place) => /name$/.test(attribute) && first.facts.has(attribute)
        if (!places.some((one) => one.view !== view && isNamed(one))) continue
        const count = (names: readonly string[], { leaves }: Sight) => {
          const shown = new Set([...leaves.values()].map(folded))
          return names.filter((name) => shown.has(folded(name))).length
        }
        const ownNames = ({ thing }: Sight) => [...thing.names].filter((name) => name.length > 3)
        const rest = sights.filter((sight) => count(ownNames(sight), sight) === 0)
        // One text of another user may also be the name of a level.
        const least = kind === 'user' ? 2 : 1
        const isOfAnother = () =>
          others[kind].some((marks) => rest.every((sight) => count(marks, sight) >= least)) &&
          new Set(sights.map(withoutTimes)).size < things
        const says = 'every one of them is answered with the record of another'
        const isRight = rest.length * 4 < sights.length * 3 || !isOfAnother()
        yield { op: first.op, n: first.n, isRight, says, evidence: sights.length }
      }
    },
  },
  {
    ...must('own-record.alias', '2.1', ['getUser', 'getUserEditPage']),
    statement: 'The id and the username of a user address the same user.',
    *each(request, { requests }) {
      const { op, address, subject, exchange, n } = request
      if (subject?.kind !== 'known' || !isServed(request)) return
      const isLike = (one: Request | undefined): one is Request =>
        one?.op === op && one.subject === subject && one.caller === request.caller && isServed(one)
      const says = 'the id and the username show two users'
      const isNamed = ({ answer }: Request) => scalars(answer).map(folded).includes(folded(subject.name))
      if (address === subject.id) {
        const change = requests.findLast(({ isRead }) => !isRead)?.n ?? 0
        const byName = requests.findLast((one) => isLike(one) && one.n > change && one.address !== address)
        if (!byName || !isNamed(byName)) return
        yield { op, n, isRight: isNamed(request), says, witnesses: [did(byName.n, 'showed the username')] }
        return
      }
      const [byName, byId] = requests.slice(-3)
      if (!isLike(byName) || !isLike(byId) || byId.address !== subject.id || !isNamed(byId)) return
      // A page that changes by itself cannot be compared.
      if (byName.exchange.text !== exchange.text) return
      const witnesses = [did(byName.n, 'showed the user by name'), did(n, 'showed the same again')]
      // An answer may tell how many seconds it took.
      const shown = ({ text }: Exchange) =>
        withoutLinks(text, [byId.exchange, exchange]).replace(/\d+\.\d+/g, '')
      yield { op, n: byId.n, isRight: shown(byId.exchange) === shown(exchange), says, witnesses }
    },
  },
  {
    ...must('own-record.listed', '4.2', ['getCustomFieldUpdatePage']),
    statement: 'The page of a field shows the field that the list has under the id.',
    *each(request, { requests }) {
      const { op, n, answer, address } = request
      if (op !== 'getCustomFieldUpdatePage' || !isServed(request)) return
      const list = requests.findLast(({ isRead, op: one }) => !isRead || one === 'listCustomFields')
      if (!list?.isRead || !isServed(list)) return
      const shown = new Set(scalars(answer).map(folded))
      const shows = (record: JsonObject | undefined, key: string) => shown.has(folded(record?.[key]))
      const rows = [...byLabel(listsIn(list.answer)[0]).values()]
      const idIn = (row: JsonObject) => Object.keys(row).find((key) => String(row[key]) === address)
      const [own, ...more] = rows.filter(idIn)
      const [id, name] = [own && idIn(own), labelOf(rows)]
      if (!own || more.length > 0 || id === undefined || name === undefined) return
      const other = rows.find((row) => row !== own && shows(row, id) && shows(row, name))
      const isRight = shows(own, name) || other === undefined || String(other[name]).length < 5
      const witnesses = [did(list.n, 'listed both')]
      yield { op, n, isRight, says: `it is the page of ${other?.[name]}`, witnesses }
    },
  },
]

const withoutTimes = ({ leaves }: Sight): string =>
  JSON.stringify([...leaves].filter(([, leaf]) => !isTime(String(leaf))).sort())

const unquoted = (text: string): string => folded(text.replace(/&(?:quot|apos|#0*3[49]);|"/g, "'"))

const SIGNS = /[^\w .@|-]/gu
/** Markup and control signs, which a tracker may take out of a text. */
const CLEANED = /[<>{};&/\p{C}]/u

/** A text whose bytes each became one sign. */
const misread = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')

/** The signs of a text that a tracker has no reason to lose. */
function signsOf(text: string): string | undefined {
  if (CLEANED.test(text)) return undefined
  const signs = [...new Set(text.match(SIGNS))].sort().join('')
  return signs || undefined
}
