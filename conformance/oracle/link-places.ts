/** Places of links to projects in lists that show the ids of the projects. */
import { groupBy } from './json.js'
import { isJoined } from './leaves.js'
import { isId } from './names.js'
import { divide, type Found, isMembership, isPresence, NONE, only } from './places.js'
import { type Fact, isSet, type Paths, type Sight, type Sights } from './things.js'

const forms = new Map<unknown, string>([
  [true, 'true'],
  [false, NONE],
])
const LEAST_LINKS = 3

/**
 * The path with the id of the project in each list that has shown several links, of any things to any projects, even if the
 * list has never shown this one.
 */
export function linkPlaces(attribute: string, all: Sights, paths: Paths): Found[] {
  const lists = new Set(paths.filter(isPresence).map((path) => path.slice(0, path.lastIndexOf('∋') + 1)))
  return [...lists].flatMap((list) => {
    const path = list + attribute.slice('project:'.length)
    const ids = paths.filter((one) => one.startsWith(list)).map((one) => one.slice(list.length))
    const whole = list.slice(0, list.lastIndexOf('['))
    // Where a text may stand in place of the list, the path may show whatever was changed last.
    const isOther = ({ leaves }: Sight) => !isJoined(String(leaves.get(whole) || '0'))
    const isInRow = (id: string) => isJoined(id) && !isId(id)
    if (all.some(isOther) || ids.some(isInRow) || !isListOfLinks(list, ids, all)) return []
    return { path, ...divide(forms, attribute, path, all) }
  })
}

/** Whether projects have shown in a list since links to them were given, and hardly any in their place. */
function isListOfLinks(list: string, ids: readonly string[], all: Sights): boolean {
  const first = new Set<string>()
  const shown: { readonly origin: string; readonly isGiven: boolean }[] = []
  for (const sight of all)
    for (const [name, fact] of sight.facts) {
      const link = `${sight.thing.serial} ${name} ${fact.n}`
      if (!isMembership(name) || !isTrue(fact) || first.has(link)) continue
      first.add(link)
      // Others may come along with a given project, but not in its place.
      const isShown = sight.leaves.has(`${list}${name.slice('project:'.length)}`)
      for (const id of ids) {
        const isGiven = name === `project:${id}`
        if (isGiven === isShown && appears(`${list}${id}`, id, sight, all))
          // Creations, updates and assignments teach apart from each other; so do those of one project and of several.
          for (const origin of [`${fact.by}`, `${fact.by} ${fact.way}`]) shown.push({ origin, isGiven })
      }
    }
  return [...groupBy(shown, ({ origin }) => origin).values()].some((links) => {
    const given = links.filter(({ isGiven }) => isGiven).length
    return given >= LEAST_LINKS && given > 2 * (links.length - given)
  })
}

const isTrue = (fact: Fact | undefined): boolean => isSet(fact) && only(fact) === true

/** Whether the sight has the path, and earlier ones of the thing have not; or those of another thing where this one was created with a link. */
function appears(path: string, id: string, sight: Sight, all: Sights): boolean {
  const { thing, leaves, facts, n } = sight
  const name = `project:${id}`
  const isBorn = facts.get(name)?.n === thing.born
  const isOther = (one: Sight) => (isBorn ? one.thing !== thing : one.thing === thing && one.n < n)
  const lacks = (one: Sight) => !isTrue(one.facts.get(name)) && !one.leaves.has(path)
  return leaves.has(path) && all.some((one) => isOther(one) && lacks(one))
}
