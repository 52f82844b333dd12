/** The places that the sights of a trace teach. */
import { groupBy } from './json.js'
import { linkPlaces } from './link-places.js'
import { mappedPlaces } from './mapped-places.js'
import {
  type Found,
  isMembership,
  isNamesake,
  isText,
  type Place,
  sharedTexts,
  uniqueTexts,
} from './places.js'
import { textPlaces } from './text-places.js'
import type { Paths, Sight, Sights } from './things.js'

/** The best place of each attribute in each view. */
export function learn(sights: Sights): Place[] {
  const places: Place[] = []
  const views = groupBy(withSupported(sights), (sight) => sight.view)
  for (const [view, those] of views) {
    const { all, variable: paths } = pathsOf(those)
    const attributes = new Set(those.flatMap(({ facts }) => [...facts.keys()]))
    const namesakes = new Map(
      paths.map((path) => [path, [...attributes].filter((attribute) => isNamesake(path, attribute))]),
    )
    for (const attribute of attributes) {
      // A path with the documented name of another member shows that member.
      const isOwn = (path: string) => {
        const named = namesakes.get(path) ?? []
        return named.length === 0 || named.includes(attribute)
      }
      // The answer to an assignment shows memberships. Answers to other changes show the other attributes.
      if (view.startsWith('answer') && isMembership(attribute) !== view.endsWith('addUserToProjects'))
        continue
      // A setting or text that the tracker never stores has a constant path.
      const isNamed = (path: string) => uniqueTexts.has(attribute) && isNamesake(path, attribute)
      const own = attribute.startsWith('option:') ? all : [...new Set([...paths, ...all.filter(isNamed)])]
      const found = [
        ...(isMembership(attribute)
          ? linkPlaces(attribute, those, all)
          : isText(attribute)
            ? textPlaces(attribute, those, own)
            : mappedPlaces(attribute, those, paths.filter(isOwn), all)),
      ]
      if (found.length === 0) continue
      const isPlain = (one: Found) => one.isPlain === true
      const isBetter = (b: Found, a: Found) =>
        isPlain(b) === isPlain(a) || b.right.length < a.right.length
          ? b.wrong.length < a.wrong.length
          : isPlain(b)
      const best = found.reduce((a, b) => (isBetter(b, a) ? b : a))
      places.push({ ...best, view, attribute })
    }
  }
  return places
}

/** The sights, with the values that the tracker has come to show as they were given: it supports them, whoever gives them. */
function withSupported(sights: Sights): Sight[] {
  const supported = new Set<string>()
  const last = new Map<string, Sight>()
  const givenIn = ({ facts }: Sight) =>
    [...sharedTexts].flatMap((name) => {
      const fact = facts.get(name)
      // An empty text may stand for none, and a number for anything.
      const isGiven = fact?.possible === null && /[a-z]{2}/i.test(String(fact.given ?? ''))
      return isGiven ? [{ name, fact, value: fact.given }] : []
    })
  for (const sight of sights) {
    const { view, thing } = sight
    const before = last.get(`${view} ${thing.serial}`) ?? last.get(view)
    last.set(`${view} ${thing.serial}`, sight).set(view, sight)
    for (const { name, value } of before ? givenIn(sight) : []) {
      const isNew = ([path, leaf]: [string, unknown]) => leaf === value && before?.leaves.get(path) !== value
      if ([...sight.leaves].some(isNew)) supported.add(`${name} ${value}`)
    }
  }
  return sights.map((sight) => {
    const known = givenIn(sight).filter(({ name, value }) => supported.has(`${name} ${value}`))
    if (known.length === 0) return sight
    const more = known.map(({ name, fact, value }) => [name, { ...fact, possible: [value] }] as const)
    return { ...sight, facts: new Map([...sight.facts, ...more]) }
  })
}

/**
 * The paths of some sights, and those whose values vary: a constant cannot show a fact, nor can a position in a list that
 * grows and shrinks.
 */
function pathsOf(sights: Sights): Readonly<Record<'all' | 'variable', Paths>> {
  const paths = new Map<string, { readonly first: unknown; count: number; isVarying: boolean }>()
  for (const { leaves } of sights)
    for (const [path, leaf] of leaves) {
      const shown = typeof leaf === 'object' ? JSON.stringify(leaf) : leaf
      const known = paths.get(path)
      if (!known) paths.set(path, { first: shown, count: 1, isVarying: false })
      else if (known.first !== shown) known.isVarying = true
      if (known) known.count += 1
    }
  const sizes = (list: string) =>
    new Set(sights.map(({ leaves }) => (leaves.get(list) as readonly unknown[] | undefined)?.length))
  const growing = new Set([...paths.keys()].filter((path) => path.endsWith('[]') && sizes(path).size > 1))
  const isPosition = (path: string) => /\[\d+\]$/.test(path) && growing.has(path.replace(/\d+\]$/, ']'))
  const variable = [...paths].flatMap(([path, { count, isVarying }]) =>
    (isVarying || count !== sights.length) && !isPosition(path) ? path : [],
  )
  return { all: [...paths.keys()], variable }
}
