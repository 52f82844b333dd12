/** The places that the sights of a trace teach. */
import { groupBy } from './json.js'
import { mappedPlaces } from './mapped-places.js'
import { isMembership, isText, type Place } from './places.js'
import { textPlaces } from './text-places.js'
import type { Sight } from './things.js'

/** The best place of each attribute in each view. */
export function learn(sights: readonly Sight[]): Place[] {
  const places: Place[] = []
  for (const [view, those] of groupBy(sights, (sight) => sight.view)) {
    const paths = variablePaths(those)
    for (const attribute of new Set(those.flatMap(({ facts }) => [...facts.keys()]))) {
      // The answer to an assignment shows memberships. Answers to other changes show the other attributes.
      if (view.startsWith('answer') && isMembership(attribute) !== view.endsWith('addUserToProjects'))
        continue
      const find = isText(attribute) ? textPlaces : mappedPlaces
      // A setting that the tracker never stores has a constant path.
      const own = attribute.startsWith('option:')
        ? [...new Set(those.flatMap(({ leaves }) => [...leaves.keys()]))]
        : paths
      const found = [...find(attribute, those, own)]
      if (found.length === 0) continue
      const best = found.reduce((a, b) => (b.wrong.length < a.wrong.length ? b : a))
      places.push({ ...best, view, attribute })
    }
  }
  return places
}

/** Paths whose values vary; a constant cannot show a fact. */
function variablePaths(sights: readonly Sight[]): string[] {
  const first = new Map<string, string>()
  const count = new Map<string, number>()
  const varying = new Set<string>()
  for (const { leaves } of sights)
    for (const [path, leaf] of leaves) {
      const shown = JSON.stringify(leaf)
      if (!first.has(path)) first.set(path, shown)
      else if (first.get(path) !== shown) varying.add(path)
      count.set(path, (count.get(path) ?? 0) + 1)
    }
  return [...first.keys()].filter((path) => varying.has(path) || count.get(path) !== sights.length)
}
