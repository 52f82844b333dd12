/** Relations of the list of plugins: it tells what is installed from what is not. */
import { did, type Sighting } from './finding.js'
import { isObject, listsIn } from './json.js'
import { recordsOf } from './leaves.js'
import { must, type Relation } from './relations.js'
import { isServed, type Request } from './request.js'
import { knownValue, type Thing } from './things.js'
import type { World } from './world.js'

/** What is compared of one list with the next, in any order of its records. */
interface Listed {
  readonly n: number
  readonly installed: unknown
  readonly signature: string
  readonly size: number
  /** Where the name of the plugin stands. */
  readonly standing: string
  /** How many records are of other plugins. */
  readonly others: number
  readonly record: unknown
}

export const pluginRelations: readonly Relation[] = [
  {
    ...must('listed.plugins', '4.2', ['installPlugin', 'uninstallPlugin', 'updatePlugin']),
    statement: 'The list of plugins tells what is installed from what is not.',
    watch(world) {
      const lists: Listed[] = []
      return {
        *each(request) {
          const [plugin] = world.of('plugin')
          const { op, role, caller, isConcurrent } = request
          if (!plugin || op !== 'listPlugins' || role !== 'administrator' || isConcurrent) return
          if (!isServed(request) || world.unsettled.has(caller)) return
          const before = lists.at(-1)
          const now = listedIn(request, plugin)
          lists.push(now)
          if (before) yield* compared(before, now, lists, plugin, world)
        },
      }
    },
  },
]

function* compared(
  before: Listed,
  now: Listed,
  lists: readonly Listed[],
  plugin: Thing,
  world: World,
): Generator<Sighting> {
  const asked = world.requests.filter(
    (one) => !one.isRead && one.n > before.n && one.n < now.n && one.subject === plugin,
  )
  const changes = asked.filter(({ status }) => status === 200)
  const [last, final] = [changes.at(-1), asked.at(-1)]
  const witnesses = [
    did(before.n, 'listed the plugins before'),
    ...asked.map(({ n, status }) => did(n, `was answered ${status}`)),
  ]
  const isKept = now.installed === true && before.installed === true
  if (final && isKept && before.record !== undefined) {
    const says = 'an installed plugin is not listed any more'
    yield { op: final.op, n: now.n, witnesses, isRight: now.record !== undefined, says }
  }
  if (!last) return
  const about = { op: last.op, n: now.n, witnesses }
  const isToggled =
    now.installed !== before.installed && now.installed !== undefined && before.installed !== undefined
  if (isToggled) {
    const isTelling = (one: Listed, index: number) =>
      index > 0 && one.installed === true && one.signature !== lists[index - 1]?.signature
    const isListed = now.installed === true || lists.some(isTelling)
    const says = 'the list is the same as before'
    if (isListed && (lists[0]?.size ?? 0) > 1)
      yield { ...about, isRight: now.signature !== before.signature, says }
    if (before.others > 0) {
      const isRight = Math.abs(before.others - now.others) < 2 && now.others > 0
      const level = now.installed === true ? 'should' : 'must'
      yield { ...about, isRight, says: 'other plugins came or went', level }
    }
  }
  const says = 'a plugin that is installed twice is not listed as before'
  if (isKept && changes.every(({ op }) => op === 'installPlugin'))
    yield { ...about, isRight: now.standing === before.standing, says }
}

function listedIn({ n, answer }: Request, plugin: Thing): Listed {
  const leaves = [...flat(answer)].sort()
  const isOther = (one: unknown) => recordsOf([one], plugin.names).length === 0
  return {
    ...{ n, installed: knownValue(plugin, 'installed'), signature: leaves.join('\n'), size: leaves.length },
    standing: [...new Set(leaves.filter((leaf) => leaf.endsWith(`=${plugin.name}`)))].join('\n'),
    others: listsIn(answer)[0]?.filter(isOther).length ?? 0,
    record: recordsOf(answer, plugin.names)[0],
  }
}

function* flat(json: unknown, path = ''): Generator<string> {
  if (Array.isArray(json)) for (const one of json) yield* flat(one, `${path}[]`)
  else if (isObject(json)) for (const [key, one] of Object.entries(json)) yield* flat(one, `${path}.${key}`)
  else yield `${path}=${json}`
}
