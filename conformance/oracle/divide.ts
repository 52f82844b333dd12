/** Divides the sights of a place into those that show what is known, and those that do not. */
import { type Divided, isKnownIn, isMembership, mayHide, only, shownAt, stateOf } from './places.js'
import type { Sight } from './things.js'

/** A link to one project may apply to further ones, such as its subprojects. */
function mayBeLinked({ facts, leaves }: Sight, attribute: string, path: string): boolean {
  if (!isMembership(attribute) || !leaves.has(path)) return false
  const list = path.slice(0, path.lastIndexOf('∋') + 1)
  const isShown = (name: string) => leaves.has(`${list}${name.slice('project:'.length)}`)
  return [...facts].some(
    ([name, fact]) => isMembership(name) && name !== attribute && only(fact) !== false && isShown(name),
  )
}

/** Divides the sights. A value that no request gave, or that is open, has to stay as it was first seen. */
export function divide(
  forms: ReadonlyMap<unknown, string>,
  attribute: string,
  path: string,
  sights: readonly Sight[],
): Divided {
  const right: Sight[] = []
  const wrong: Sight[] = []
  const first = new Map<string, string>()
  for (const sight of sights) {
    // The answer to a change may not show it yet.
    const { possible, n } = sight.facts.get(attribute) ?? {}
    if (n === sight.n || mayHide(sight, path, attribute)) continue
    const shown = shownAt(sight, path)
    let expected = possible?.map((value) => forms.get(value))
    if (possible?.length !== 1) {
      const state = stateOf(sight, attribute)
      const before = first.get(state)
      if (before !== undefined) expected = [before]
      else first.set(state, shown)
    }
    if (!expected || expected.includes(undefined)) continue
    if (expected.includes(shown)) right.push(sight)
    else if (!mayBeLinked(sight, attribute, path)) wrong.push(sight)
  }
  // A tracker may ignore the projects of all updates.
  const isByUpdate = ({ facts }: Sight) => facts.get(attribute)?.by === 'updateCustomField'
  const isIgnored =
    isMembership(attribute) && !right.some((one) => isByUpdate(one) && isKnownIn(one, attribute))
  return { right, wrong: isIgnored ? wrong.filter((one) => !isByUpdate(one)) : wrong }
}
