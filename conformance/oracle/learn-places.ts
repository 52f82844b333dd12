/** The places that the sights of a trace teach. */
import { groupBy } from './json.js'
import { mappedPlaces } from './mapped-places.js'
import { isMembership, isNamesake, isText, type Place, uniqueTexts } from './places.js'
import { textPlaces } from './text-places.js'
import type { Sight } from './things.js'

/** The best place of each attribute in each view. */
export function learn(sights: readonly Sight[]): Place[] {
  const places: Place[] = []
  for (const [view, those] of groupBy(sights, (sight) => sight.view)) {
    const paths = variablePaths(those)
    const all = [...new Set(those.flatMap(({ leaves }) => [...leaves.keys()]))]
    for (const attribute of new Set(those.flatMap(({ facts }) => [...facts.keys()]))) {
      // The answer to an assignment shows memberships. Answers to other changes show the other attributes.
      if (view.startsWith('answer') && isMembership(attribute) !== view.endsWith('addUserToProjects'))
        continue
      // A setting or text that the tracker never stores has a constant path.
      const own = attribute.startsWith('option:')
        ? all
        : [
            ...new Set([
              ...paths,
              ...all.filter((path) => uniqueTexts.has(attribute) && isNamesake(path, attribute)),
            ]),
          ]
      const found = [
        ...(isText(attribute)
          ? textPlaces(attribute, those, own)
          : mappedPlaces(attribute, those, paths, all)),
      ]
      if (found.length === 0) continue
      const best = found.reduce((a, b) => (b.wrong.length < a.wrong.length ? b : a))
      places.push({ ...best, view, attribute })
    }
  }
  return places
}

/** Paths whose values vary; a constant cannot show a fact, nor can a position in a list that grows and shrinks. */
function variablePaths(sights: readonly Sight[]): string[] {
  const paths = new Map<string, { readonly first: unknown; count: number; isVarying: boolean }>()
  for (const { leaves } of sights)
    for (const [path, leaf] of leaves) {
      const shown = typeof leaf === 'object' ? JSON.stringify(leaf) : leaf
      const known = paths.get(path)
      if (!known) paths.set(path, { first: shown, count: 1, isVarying: false })
      else if (known.first !== shown) known.isVarying = true
      if (known) known.count += 1
    }
  const isVariable = ([, { count, isVarying }]: [string, { count: number; isVarying: boolean }]) =>
    isVarying || count !== sights.length
  const sizes = (list: string) =>
    new Set(sights.map(({ leaves }) => (leaves.get(list) as readonly unknown[] | undefined)?.length))
  const growing = new Set([...paths.keys()].filter((path) => path.endsWith('[]') && sizes(path).size > 1))
  const isPosition = (path: string) => /\[\d+\]$/.test(path) && growing.has(path.replace(/\d+\]$/, ']'))
  return [...paths].filter((one) => isVariable(one) && !isPosition(one[0])).map(([path]) => path)
}
