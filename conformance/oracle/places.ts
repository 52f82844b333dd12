/**
 * The oracle learns where a fact shows; it assumes nothing. A place is a path in a view where the values of an attribute
 * of several things were seen. It is trusted once it was right for a thing that did not teach it. Creations and changes teach
 * apart from each other, so that an operation which always loses a member does not unteach its place.
 */
import { type Fact, isSet, type Sight, type Sights } from './things.js'

/** How a place shows each value. */
export type Forms = ReadonlyMap<unknown, string>

export interface Place {
  readonly view: string
  readonly attribute: string
  readonly path: string
  readonly right: Sights
  readonly wrong: Sights
  /** It shows one value of everything, whatever was given. */
  readonly isFixed?: boolean
  /** It shows numbers as they were given. */
  readonly isPlain?: boolean
}

/** The sights of a place that show what is known, and the others. */
export type Divided = Pick<Place, 'right' | 'wrong'>

/** Texts that are made up for one thing alone: two sights of them are no coincidence. */
export const uniqueTexts = new Set('username email realname name default_value possible_values'.split(' '))
/** Texts that several things may have. */
export const sharedTexts = new Set(['language', 'timezone', 'type'])
export const isPersonal = (attribute: string) => /^(language|timezone)$/.test(attribute)
export const isOwnText = (attribute: string) => /^(columns$|option:|level:)/.test(attribute)
export const isText = (attribute: string) =>
  uniqueTexts.has(attribute) || sharedTexts.has(attribute) || isOwnText(attribute)
export const isMembership = (attribute: string) => attribute.startsWith('project:')

export const only = (fact: Fact | undefined): unknown => fact?.possible?.[0]
export const valueIn = ({ facts }: Sight, attribute: string): unknown => only(facts.get(attribute))
/** Whether one value was known of the thing. */
export const isKnownIn = ({ facts }: Sight, attribute: string): boolean => isSet(facts.get(attribute))
export const isPresence = (path: string) => path.includes('∋')

/** One state of one fact: as long as nothing established it again. */
export const stateOf = ({ thing, facts }: Sight, attribute: string): string =>
  `${thing.serial} ${facts.get(attribute)?.n}`

export type Found = Omit<Place, 'view' | 'attribute'>

/**
 * The answer to a change may leave out any member, and so may the record of a disabled user. Whoever may not see a member
 * may get nothing in its place. A plugin that is not installed has no flag and no priority.
 */
export function mayHide(sight: Sight, path: string, attribute: string): boolean {
  const leaf = sight.leaves.get(path)
  const isBrief = sight.view.startsWith('answer') || only(sight.facts.get('enabled')) === false
  if (isBrief && leaf === undefined && !isPresence(path)) return true
  if (attribute !== 'installed' && only(sight.facts.get('installed')) === false) return true
  // The unknown callers of a view may be several, and a tracker may show one of them less than another.
  if (!sight.view.endsWith(' as unknown')) return false
  return leaf === undefined || leaf === null || /^[*•.x-]*$|[*•]{2}/i.test(String(leaf))
}

/** Whether a path ends with the documented name of the attribute, in any spelling, or with the id of the project. */
export function isNamesake(path: string, attribute: string): boolean {
  if (isMembership(attribute)) return path.endsWith(`∋${attribute.slice('project:'.length)}`)
  const plain = (name: string) => name.replace(/[^a-z]/gi, '').toLowerCase()
  const last = path.split('.').slice(-2)
  // A list may have a record for each member, with its name and its value.
  const labels = last.map((part) => part.slice(part.indexOf('=') + 1))
  // `display_report` may stand as `display.report`, but `user.name` is no `username`.
  const joined = attribute.includes('_') ? [last.join('')] : []
  return [...last, ...labels, ...joined].some((name) => plain(name) === plain(attribute))
}

/** The path of the record that a path is in. */
export const recordOf = (path: string): string => path.slice(0, path.lastIndexOf('.'))

/** The records in which a name of the thing stands, the innermost first. If there are several, one may be an earlier state. */
export const recordsAround = ({ leaves, thing }: Sight): string[] =>
  [...leaves]
    .flatMap(([path, leaf]) => (thing.names.has(String(leaf)) ? recordOf(path) : []))
    .sort((a, b) => b.length - a.length)

/** Whether a text explains something, as no value of a setting does. */
export const isProse = (leaf: unknown): boolean => /<|\s\S+\s/.test(String(leaf))

export const NONE = '(none)'
export const shownAt = ({ leaves }: Sight, path: string): string => {
  const leaf = leaves.get(path)
  return leaf === undefined ? NONE : JSON.stringify(leaf)
}

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
export function divide(forms: Forms, attribute: string, path: string, sights: Sights): Divided {
  const right: Sight[] = []
  const wrong: Sight[] = []
  const first = new Map<string, string>()
  const isForm = new Set(forms.values())
  for (const sight of sights) {
    // The answer to a change may not show it yet.
    const { possible, n } = sight.facts.get(attribute) ?? {}
    if (n === sight.n || mayHide(sight, path, attribute)) continue
    const shown = shownAt(sight, path)
    let expected = possible?.map((value) => forms.get(value))
    if (possible?.length !== 1) {
      const state = stateOf(sight, attribute)
      const before = first.get(state)
      // Another form may show another flag, too, and unknown callers may be several.
      if (before === undefined) first.set(state, shown)
      else if (isForm.has(before) && isForm.has(shown) && !sight.view.endsWith(' as unknown'))
        expected = [before]
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
