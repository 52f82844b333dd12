/** Relations of lists: a list has each existing thing, and no deleted or refused one. */
import { changing } from './change-relations.js'
import { did, type Sighting } from './finding.js'
import { brief, byLabel, isObject, listsIn, scalars } from './json.js'
import { recordsOf } from './leaves.js'
import { isMembership, only } from './places.js'
import { isServed, membersOf, partOf, type Request } from './request.js'
import { must, type Relation, should } from './statement.js'
import { knownValue, type Sight, type Thing } from './things.js'
import { isRecognizable } from './views.js'
import type { World } from './world.js'

const isList = ({ op, isPlain }: Request): boolean => op === 'listCustomFields' && isPlain
/** The administrator is shown the whole list. */
const showsAll = (request: Request): boolean => isList(request) && isServed(request)

export const listRelations: readonly Relation[] = [
  {
    ...must('listed', '4.2', ['listCustomFields', 'updateCustomField', 'deleteCustomField']),
    statement: 'A list shows each field that exists under its name, and none that was deleted.',
    watch() {
      const listed = new Map<Thing, { n: number; form: string }>()
      return {
        *each(request, world) {
          const { op, n, answer } = request
          if (!showsAll(request)) return
          const earlier = world.requests.findLast((one) => one !== request && showsAll(one))
          const [now = [], then = []] = [listsIn(answer)[0], listsIn(earlier?.answer)[0]]
          // A page of a longer list keeps its length when one record moves to the next page.
          const isShorter = now.length < then.length
          // A list may have a row for each project of a field; then no member tells the rows apart.
          const count = byLabel(now).size
          const lost = count === 0 ? 0 : byLabel(then).size - count
          const last = world.requests.findLast((one) => !one.isRead)
          const since = world.requests.filter((one) => one.n > (earlier?.n ?? 0) && !one.isRead)
          const deleted = since.find((one) => one.op === 'deleteCustomField')
          if (deleted && since.every(({ kind, op }) => kind !== 'plugin' && op !== 'updateSettings')) {
            // An update may hide a field, and a lost answer may stand for a deletion.
            const most = since.filter(({ op: one }) => /^(update|delete)CustomField$/.test(one)).length
            const says = `${lost} fields fewer are listed, and at most ${most} were deleted or hidden`
            const witnesses = [did(deleted.n, 'deleted one')]
            if (lost > most) yield { op: deleted.op, n, isRight: false, says, witnesses }
          }
          for (const field of world.of('field').filter(isRecognizable)) {
            const before = listed.get(field)
            const formsIn = (json: unknown) => recordsOf(json, field.names).map((one) => JSON.stringify(one))
            const witnesses = [did(field.born, 'created the field')]
            if (before) witnesses.push(did(before.n, 'listed it'))
            const isNamed = (name: string) => request.exchange.text.includes(name)
            if (field.isGone) {
              if (!before || !last || (last.n !== field.ended && !isNamed(field.name))) continue
              // A later field may have its name.
              if (world.of('field').some((one) => one.born > field.born && one.names.has(field.name)))
                continue
              witnesses.push(did(field.ended ?? last.n, 'deleted it'))
              // Another list may show what was deleted.
              const isRight = !formsIn(listsIn(answer)[0] ?? answer).includes(before.form)
              const says = 'a deleted field is listed as before'
              yield { op: 'deleteCustomField', n, isRight, says, witnesses }
              continue
            }
            if ([...field.names].some((name) => name !== field.name && isNamed(name)))
              yield* formerNames(field, request, world)
            // A tracker may store a name with unusual signs in another form.
            const isKnown = knownValue(field, 'name') !== undefined
            const isSince = last !== undefined && before !== undefined && last.n > before.n
            const blamed = isSince && last.op === 'deleteCustomField' ? last.op : op
            const [form] = formsIn(answer)
            const isRight = form !== undefined || !isShorter
            const says = 'what was listed before is not listed any more'
            if (before && isKnown) yield { op: blamed, n, isRight, says, witnesses }
            if (isKnown && form !== undefined) listed.set(field, { n, form })
            else listed.delete(field)
          }
        },
      }
    },
  },
  {
    ...must('listed.refused', '7', ['createCustomField', 'updateCustomField']),
    statement: 'A list shows no field whose creation was refused, and no name that is too long.',
    *each(request, world) {
      if (!isList(request)) return
      const isLike = ({ exchange }: Request) => exchange.query === request.exchange.query
      const last = world.requests.findLast((one) => one !== request && isList(one) && isLike(one))
      const shown = new Set<unknown>(scalars(request.answer))
      // What was listed before may be the reason of the refusal.
      const before = last ? new Set<unknown>(scalars(last.answer)) : shown
      const news = new Set([...shown].filter((text) => !before.has(text)))
      for (const one of world.requests.filter(({ n }) => n > (last?.n ?? 0)))
        yield* namesOf(one, { n: request.n, shown, news }, world)
    },
  },
  {
    ...must('listed.new', '4.2', ['createCustomField', 'listCustomFields']),
    statement: 'After a creation, a list that shows all fields shows the new field, and shows it once.',
    *end(world) {
      const isOrdered = ({ exchange }: Request) => /^\??sort_by=\w+&sort_order=\w+$/.test(exchange.query)
      const all = world.requests.filter(
        (one) => isList(one) && (isServed(one) || isOrdered(one)) && !one.isConcurrent,
      )
      const lists = all.filter((one) => lengthOf(one) > 1)
      const plain = all.filter(({ exchange }) => exchange.query === '')
      for (const [index, now] of plain.entries()) {
        const before = plain[index - 1]
        if (!before) continue
        // A page of the length of the longest list may have no room for more.
        const isOutgrown = plain.some((other) => lengthOf(other) > lengthOf(before))
        const isJudgeable = lists.includes(before) && (isOutgrown || isWhole(before, lists))
        // A list of any length may show a field twice.
        if (isJudgeable || lengthOf(now) === lengthOf(before) + 2) yield* missing(before, now, world)
      }
    },
  },
  {
    ...should('once', '4.2', ['listCustomFields', 'listPlugins']),
    statement: 'A list shows no record twice.',
    *each({ op, n, status }, { requests }) {
      const changes = changing[op]
      if (!changes || status !== 200) return
      const isRight = (one: Request) =>
        one.op === op && one.status === 200 && !listsIn(one.answer).some(hasTwice)
      const last = requests.findLast(isRight)?.n
      const change = requests.find((one) => one.n > (last ?? n) && one.status === 200 && changes.test(one.op))
      yield { op: change?.op ?? op, n, isRight: last === n, says: 'a record stands in the list twice' }
    },
  },
]

/** Whether a renamed field has a record under a former name that no other field has, next to the one under its name. */
function* formerNames(field: Thing, { n, answer }: Request, world: World): Generator<Sighting> {
  const rows = (listsIn(answer)[0] ?? []).filter(isObject).map((row) => scalars(row))
  if (!rows.some((row) => row.includes(field.name))) return
  const isOfOther = (name: string) =>
    world.of('field').some((one) => one !== field && one.names.has(name)) ||
    world.requests.some((one) => one.subject !== field && one.n > field.born && partOf(one)?.name === name)
  const former = [...field.names].filter((name) => name !== field.name && !isOfOther(name))
  const isRight = rows.every((row) => row.includes(field.name) || !former.some((name) => row.includes(name)))
  const says = 'a renamed field is listed under a former name, too'
  yield { op: 'updateCustomField', n, isRight, says }
}

function hasTwice(list: readonly unknown[]): boolean {
  const records = list.filter((one) => isObject(one) && Object.keys(one).length > 2)
  return new Set(records.map((one) => JSON.stringify(one))).size < records.length
}

/** The number of records in the only list; 0 where records are members of an object. */
function lengthOf({ answer }: Request): number {
  const [list = [], ...others] = listsIn(answer)
  return others.length === 0 && list.every(isObject) ? list.length : 0
}

/** Whether another order of the list shows the same records. */
function isWhole(plain: Request, lists: readonly Request[]): boolean {
  const namesIn = ({ answer }: Request) => [...byLabel(listsIn(answer)[0]).keys()]
  return lists.some((ordered) => {
    if (ordered.exchange.query === '') return false
    const before = lists.findLast(({ n, exchange }) => n < ordered.n && exchange.query === '')
    if (!before || lengthOf(before) < lengthOf(plain)) return false
    const [names, others] = [namesIn(before), namesIn(ordered)]
    return names.length > 1 && names.join() !== others.join() && names.sort().join() === others.sort().join()
  })
}

/** The field that was created between two lists, and is in neither; of several, one if none is listed. */
function* missing(before: Request, now: Request, world: World): Generator<Sighting> {
  const isOwn = ({ op, status, isRead }: Request) => !isRead && status === 200 && /CustomField$/.test(op)
  const changes = world.requests.filter((one) => one.n > before.n && one.n < now.n && isOwn(one))
  const made = changes.map(({ n }) => world.of('field').find(({ born }) => born === n))
  const isLost = (one?: Thing) => one !== undefined && recordsOf(now.answer, one.names).length === 0
  const field = made.find((one) => one && !isUnlinked(one)) ?? made[0]
  const change = changes[made.indexOf(field)]
  if (!change || !field) return
  if (changes.some(({ op, isConcurrent }) => op !== 'createCustomField' || isConcurrent)) return
  if (made.length > 1 && !(made.every(isLost) && lengthOf(now) === lengthOf(before))) return
  if (field.names.size === 0 || field.name.length < 4) return
  const records = recordsOf(now.answer, field.names).length
  const page = world.sights.find(({ thing, op }) => thing === field && op === 'getCustomFieldUpdatePage')
  const [length, after] = [lengthOf(before), lengthOf(now)]
  const witnesses = [did(before.n, `listed ${length} fields`), did(change.n, 'created a field')]
  const says = `the list has ${after} records, and the new field is ${records > 1 ? 'two' : 'none'} of them`
  const op = page && records === 0 ? now.op : change.op
  const { projects } = membersOf(change)
  // A list may have a field once for each of its projects, and a new field under another form of its name.
  const most = Array.isArray(projects) ? Math.max(projects.length, 1) : 1
  const known = new Set(byLabel(listsIn(before.answer)[0]).keys())
  const [other = '', ...others] = [...byLabel(listsIn(now.answer)[0]).keys()].filter((one) => !known.has(one))
  // A list may shorten a name that the answer to the creation shows whole.
  const { nameLimit = 0 } = world.knowledge.customField ?? {}
  const isWhole = records > 0 || others.length > 0 || field.name.length > nameLimit
  const isDamaged = !isWhole && isPart(other, field.name) && scalars(change.answer).includes(other)
  const shownAs = `the list shows it as ${brief(other)}`
  if (isDamaged) yield { op: change.op, n: now.n, isRight: false, says: shownAs, witnesses }
  // A tracker may list only fields with projects.
  const isShown = world.sights.some((sight) => sight.op === now.op && isUnlinked(sight))
  const isFree = !Array.isArray(projects) || projects.length === 0
  if (records === 0 && (isUnlinked(field) || isFree) && !isShown) return
  const isRight = records === 0 ? after !== length : records <= most || after < length + 2
  // What is listed in its place may be the field in another form, or another one.
  if (records === 0 && isRight) return
  // A disturbance may lose a record, but makes none.
  yield { op, n: now.n, isRight, says, witnesses, evidence: records > 1 ? 2 : 1 }
}

function isUnlinked({ facts }: Pick<Sight, 'facts'>): boolean {
  const links = [...facts].filter(([name]) => isMembership(name))
  return links.length > 0 && links.every(([, fact]) => only(fact) === false)
}

/** Whether a text is the beginning of another, or has a question mark in place of each sign that it lacks. */
const isPart = (text: string, whole: string): boolean =>
  text.length > 3 &&
  (whole.startsWith(text) ||
    (text.includes('?') && text.split(/\?+/).every((part) => whole.includes(part)) && !whole.includes('?')))

type News = Readonly<{ n: number; shown: ReadonlySet<unknown>; news: ReadonlySet<unknown> }>
function* namesOf(request: Request, { n, shown, news }: News, world: World): Generator<Sighting> {
  const { op, status } = request
  const name = partOf(request)?.name
  if (!/^(create|update)CustomField$/.test(op) || typeof name !== 'string' || name.length < 6) return
  if (status === 0 || status >= 500 || membersOf(request).custom_field === undefined) return
  const limit = world.knowledge.customField?.nameLimit ?? Number.POSITIVE_INFINITY
  const cut = name.slice(0, limit)
  // Another member may have the same text.
  const members = new Set([name, cut].flatMap((text) => [...(world.texts.get(text) ?? [])]))
  if ([...members].some((member) => member !== 'name')) return
  const witnesses = [did(request.n, `gave the name ${brief(name)}`)]
  const tooLong = 'a name longer than the limit is stored'
  if (name.length > limit) yield { op, n, isRight: !shown.has(name), says: tooLong, witnesses }
  // A tracker may store a field and then refuse its projects.
  if (membersOf(request).projects !== undefined) return
  const isOfAnother = (one: Thing) =>
    one.born !== request.n && [...one.names].some((other) => other === name || other.slice(0, limit) === cut)
  // A change that gave the name before may be of a field that the trace does not know.
  if (status < 400 || members.size > 0 || world.things.some(isOfAnother)) return
  const isRight = !news.has(name) && !news.has(cut)
  yield { op, n, isRight, says: `${brief(name)} is listed, though it was refused`, witnesses }
}
