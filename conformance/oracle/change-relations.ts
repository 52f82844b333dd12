/** Relations of changes: other things stay as they were, and the list of plugins distinguishes installed ones from others. */
import type { OperationId } from '../contract/index.js'
import { isTime } from './callers.js'
import { did, type Sighting } from './finding.js'
import { brief, byLabel, folded, groupBy, isObject, listsIn, same, scalars } from './json.js'
import { leavesOf, recordsOf } from './leaves.js'
import { managing } from './operations.js'
import { isServed, partOf, type Request } from './request.js'
import { must, type Relation } from './statement.js'
import { knownValue, type Thing } from './things.js'
import type { World } from './world.js'

const operations = ['installPlugin', 'uninstallPlugin', 'updatePlugin', 'listPlugins'] as const

/** The changes that a list shows. */
export const changing: Partial<Record<OperationId, RegExp>> = {
  listCustomFields: /CustomField$/,
  listPlugins: /Plugin$/,
}

export const changeRelations: readonly Relation[] = [
  {
    ...must('neighbours', '4.2', managing),
    statement: 'A change of one thing does not change other things.',
    watch() {
      /** Members that change by themselves. */
      const restless = new Set<string>()
      return {
        *each(request, { requests }) {
          const { op, n } = request
          const changes = changing[op]
          const isList = (one: Request) => one.op === op && isServed(one) && one.isPlain
          const last = requests.findLast((one) => one !== request && isList(one))
          if (!changes || !isList(request) || !last) return
          const [before, rows] = [byLabel(listsIn(last.answer)[0]), byLabel(listsIn(request.answer)[0])]
          const between = requests.filter((one) => one.n > last.n && !one.isRead)
          const served = between.filter((one) => changes.test(one.op) && one.status === 200)
          const changed = [...rows].flatMap(([name, row]) => {
            const earlier = leavesOf(before.get(name))
            // What stands at a position of a list may be another thing now.
            return [...leavesOf(row)].flatMap(([member, value]) =>
              isOther(earlier.get(member), value) && !/\[\d/.test(member) ? [{ name, member, value }] : [],
            )
          })
          if (between.length === 0) for (const { member } of changed) restless.add(inAny(member))
          const blamed = served.at(-1)
          // A thing without a known name may be any record.
          if (!blamed || served.some(({ kind, subject }) => kind === 'field' && !subject?.names.size)) return
          const namesOf = (one: Request) => [...(one.subject?.names ?? []), one.address, partOf(one)?.name]
          const names = new Set(served.flatMap(namesOf).map(folded))
          const isTouched = (name: string) =>
            [name, ...scalars(rows.get(name))].some((text) => names.has(folded(text)))
          const given = new Set<unknown>(served.flatMap(({ body }) => scalars(body)))
          const others = changed.filter((one) => !isTouched(one.name) && !restless.has(inAny(one.member)))
          const isOnly = ({ member, value }: (typeof others)[number]) =>
            others.filter((one) => one.member === member && one.value === value).length === 1
          // One record may have a short text or a number by coincidence, but hardly two.
          const isGiven = (one: (typeof others)[number]) =>
            given.has(one.value) && (isLong(one.value) || !isOnly(one))
          const found = others.filter((one) => typeof one.value === 'boolean' || isGiven(one))
          const [first] = found
          const changers = served.map((one) => did(one.n, 'changed another'))
          const witnesses = [did(last.n, 'listed the others before'), ...changers]
          const says = `${first?.name} has ${first?.member} ${brief(first?.value)}`
          const about = { op: blamed.op, n, says, witnesses, evidence: found.length }
          yield { ...about, isRight: !first, ...(first ? { place: first.member } : {}) }
        },
      }
    },
  },
  {
    ...must('listed.plugins', '4.2', operations),
    statement: 'The list of plugins distinguishes installed plugins from others.',
    watch() {
      const all: Listed[] = []
      return {
        each(request, world) {
          if (request.op !== 'listPlugins' || !isServed(request) || !request.isPlain) return
          for (const plugin of world.of('plugin')) all.push(listedIn(request, plugin))
        },
        *end(world) {
          for (const lists of groupBy(all, ({ plugin }) => plugin).values())
            for (const [index, now] of lists.entries()) {
              const before = lists[index - 1]
              if (before) yield* compared({ before, now, lists, world })
            }
        },
      }
    },
  },
]

/** A path in any record of the lists in it. */
const inAny = (path: string): string => path.replace(/\[[^\]]*\]/g, '[]')

const isMark = (value: unknown) => ['boolean', 'string', 'number'].includes(typeof value)
/** Whether a flag, text or number has another value now. */
const isOther = (before: unknown, now: unknown): boolean => isMark(before) && isMark(now) && before !== now

/** Whether a text is too long for a coincidence. */
const isLong = (text: unknown): boolean => typeof text === 'string' && text.length > 5

/** Whether a request between two lists may have changed another plugin. */
const mayDiffer = (from: number, to: number, plugin: Thing | undefined, { requests }: World) =>
  requests.some(
    ({ n, kind, isRead, subject, status }) =>
      n > from && n < to && kind === 'plugin' && !isRead && subject !== plugin && status !== 404,
  )

/** Two lists one after the other, of all that were read. */
type Step = Readonly<{ before: Listed; now: Listed; lists: readonly Listed[]; world: World }>

function* compared({ before, now, lists, world }: Step): Generator<Sighting> {
  const { plugin } = now
  if (mayDiffer(before.n, now.n, plugin, world)) return
  const asked = world.requests.filter(
    ({ isRead, n, subject }) => !isRead && n > before.n && n < now.n && subject === plugin,
  )
  const changes = asked.filter(({ status }) => status === 200)
  const [last, final] = [changes.at(-1), asked.at(-1)]
  const answers = asked.map(({ n, status }) => did(n, `was answered ${status}`))
  const witnesses = [did(before.n, 'listed the plugins before'), ...answers]
  const isKept = now.installed === true && before.installed === true
  if (final && isKept && before.record !== undefined) {
    const says = 'an installed plugin is not listed any more'
    yield { op: final.op, n: now.n, witnesses, isRight: now.record !== undefined, says }
  }
  if (!last) return
  if (last.op === 'installPlugin' && before.installed !== true && before.record !== undefined) {
    const says = 'a plugin is listed only as long as it is not installed'
    const isRight = now.installed !== true || now.record !== undefined
    const isBack = lists.some(({ n, record }) => n > now.n && record !== undefined)
    yield { op: isBack ? 'listPlugins' : last.op, n: now.n, isRight, says, witnesses }
  }
  const about = { op: last.op, n: now.n, witnesses }
  yield* toggled({ before, now, lists, world }, last, { ...about, op: atFault(last, plugin, world) })
  const isChanged = (name: string) =>
    world.of('plugin').some((one) => one !== plugin && one.name === name.split('\n')[1])
  const lost = [...before.names].find((name) => isLostForGood(name, now, lists) && !isChanged(name))
  const since = { evidence: lists.filter(({ n }) => n >= now.n).length }
  const gone = `${lost?.split('\n')[1]} is not listed any more`
  yield { ...about, ...since, isRight: lost === undefined, says: gone }
  const says = 'a plugin that is installed twice is not listed as before'
  if (isKept && changes.every(({ op }) => op === 'installPlugin'))
    yield { ...about, isRight: now.standing === before.standing, says }
}

type About = Omit<Sighting, 'isRight'>
/** No list looks as it did while the plugin was in the other state. */
function* toggled({ before, now, lists, world }: Step, last: Request, about: About): Generator<Sighting> {
  if (now.installed === before.installed || now.installed === undefined || before.installed === undefined)
    return
  const earlier = lists.filter(({ n }) => n < now.n)
  const isTelling = (one: Listed, index: number) =>
    index > 0 && one.installed === true && one.signature !== lists[index - 1]?.signature
  const isListed = now.installed === true || lists.some(isTelling)
  const isOther = ({ installed }: Listed) => installed === !now.installed
  // Where a list has no record of the plugin, the record itself tells that the plugin is installed.
  const isTold = lists.some(({ record }) => record === undefined) && now.record !== undefined
  const isLike = ({ signature, standing, record }: Listed) =>
    signature === now.signature || (isTold && standing === now.standing && same(record, now.record))
  const like = earlier.findLast(
    (one) => isOther(one) && isLike(one) && !mayDiffer(one.n, now.n, last.subject, world),
  )
  const says = `the list is the same as in #${like?.n}, when the plugin was ${now.installed ? 'not ' : ''}installed`
  const evidence = lists.filter((one) => one.n >= now.n && like !== undefined && isLike(one)).length
  if (isListed && (lists[0]?.size ?? 0) > 1) yield { ...about, isRight: !like, says, evidence }
  if (before.others === 0) return
  const isRight = Math.abs(before.others - now.others) < 2 && now.others > 0
  const level = now.installed === true ? 'should' : 'must'
  yield { ...about, op: last.op, isRight, says: 'other plugins came or went', level }
}

/** Blames the list where later answers show that the change was carried out. */
function atFault({ op, n }: Request, plugin: Thing, { requests }: World): OperationId {
  const own = requests.filter(
    ({ subject, role, isRead }) => subject === plugin && role === 'administrator' && !isRead,
  )
  const next = (wanted: RegExp) => own.find((one) => one.n > n && wanted.test(one.op))
  const isShown =
    op === 'installPlugin'
      ? next(/^u/)?.op === 'updatePlugin' && isDone(next(/^u/))
      : // This tracker refuses to install a plugin twice.
        isDone(next(/^install/)) && own.some((one) => one.op === 'installPlugin' && !isDone(one))
  return isShown ? 'listPlugins' : op
}

const isDone = (request: Request | undefined): boolean => request?.status === 200

/** Whether another plugin was in every earlier list and is in no later one, with the plugin of the run installed or not. */
function isLostForGood(name: string, now: Listed, lists: readonly Listed[]): boolean {
  const [earlier, since] = [lists.filter(({ n }) => n < now.n), lists.filter(({ n }) => n >= now.n)]
  const states = new Set(since.map(({ installed }) => installed))
  const isIn = ({ names }: Listed) => names.has(name)
  return states.has(true) && states.has(false) && earlier.every(isIn) && !since.some(isIn)
}

type Listed = Readonly<ReturnType<typeof listedIn>>

/** The parts of one list that are compared with other lists. The order of records does not count. */
function listedIn({ n, answer }: Request, plugin: Thing) {
  const leaves = [...flat(answer)].sort()
  const lists = listsIn(answer)
  const [first = []] = lists
  const isOther = (one: unknown) => recordsOf([one], plugin.names).length === 0
  const namesIn = (list: readonly unknown[], index: number) =>
    [...byLabel(list.filter(isOther)).keys()].flatMap((name) => (isTime(name) ? [] : `${index}\n${name}`))
  return {
    ...{ n, plugin, installed: knownValue(plugin, 'installed') },
    // A tracker that shows empty lists shows nothing.
    size: lists.length > 0 && lists.flat().length === 0 ? 0 : leaves.length,
    signature: signatureOf(answer),
    /** Where the name of the plugin stands. */
    standing: [...new Set(leaves.filter((leaf) => leaf.endsWith(`=${plugin.name}`)))].join('\n'),
    // A list of one record with a list in it may be a frame around the answer, and not of other plugins.
    others: first.length === 1 && listsIn(first[0]).length > 0 ? 0 : first.filter(isOther).length,
    /** The names of other plugins, each with the list in which it stands. A time is no name. */
    names: new Set(lists.flatMap(namesIn)),
    record: recordsOf(answer, plugin.names)[0],
  }
}

/** All values with their members. Only the order of a list does not count. */
function signatureOf(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(signatureOf).sort()}]`
  if (!isObject(json)) return JSON.stringify(json)
  return `{${Object.entries(json).map(([key, one]) => `${key}:${signatureOf(one)}`)}}`
}

function* flat(json: unknown, path = ''): Generator<string> {
  if (Array.isArray(json)) for (const one of json) yield* flat(one, `${path}[]`)
  else if (isObject(json)) for (const [key, one] of Object.entries(json)) yield* flat(one, `${path}.${key}`)
  else yield `${path}=${json}`
}
