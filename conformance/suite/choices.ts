/** Two values of each preference that the tracker takes. Where they come from decides what is asked, and no verdict. */

import { isObject, pointersTo, valueAt } from '../client/look.js'
import type { Check } from './types.js'

type Preference = 'language' | 'timezone'

const hints = { language: /lang|locale/i, timezone: /time_?zone|zones|\btz\b/i } as const

/** In the forms that are the most usual, where no page lists any. */
const usual = {
  language: ['english', 'german', 'en', 'de'],
  timezone: ['Europe/Berlin', 'Asia/Tokyo'],
} as const

/** So many creations at most. */
const MOST_TRIED = 6

type Pairs = Readonly<Record<Preference, Two | null>>
type Two = readonly [string, string]

/** Of each two values that `accepts` takes, from the lists of the create and the settings page, or of the usual ones; or null. */
export async function choicesOf(
  t: Check,
  accepts: (values: { readonly [member in Preference]?: string | undefined }) => Promise<boolean>,
): Promise<Pairs> {
  const pages = [
    await t.send({ operation: 'getUserCreatePage' }),
    await t.send({ operation: 'getUserSettingsPage' }),
  ]
  const offered = (member: Preference) => {
    const found = pages.flatMap(({ json }) =>
      pointersTo(json, (value) => typeof value === 'object' && value !== null)
        .filter((at) => hints[member].test(at.split('/').at(-1) ?? ''))
        .flatMap((at) => fromTheMiddle(textsOf(valueAt(json, at)))),
    )
    return [...new Set([...found, ...usual[member]])].slice(0, MOST_TRIED)
  }
  const all = { language: offered('language'), timezone: offered('timezone') }
  // Both preferences at a time, which is most often enough.
  const both = (index: 0 | 1) => accepts({ language: all.language[index], timezone: all.timezone[index] })
  if ((await both(0)) && (await both(1)))
    return { language: all.language.slice(0, 2) as never, timezone: all.timezone.slice(0, 2) as never }

  async function twoOf(member: Preference): Promise<Two | null> {
    const accepted: string[] = []
    for (const value of all[member]) {
      if (await accepts({ [member]: value })) accepted.push(value)
      const [one, other] = accepted
      if (one !== undefined && other !== undefined) return [one, other]
    }
    return null
  }
  return { language: await twoOf('language'), timezone: await twoOf('timezone') }
}

/** The choices of a list of texts or of records, or of an object from texts to labels. */
function textsOf(list: unknown): string[] {
  if (isObject(list))
    return Object.values(list).every((label) => typeof label === 'string') ? Object.keys(list) : []
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => {
    const text = isObject(item) ? Object.values(item).find((value) => typeof value === 'string') : item
    return typeof text === 'string' ? [text] : []
  })
}

/** The first or the last may stand for "whatever the browser says". */
const fromTheMiddle = (texts: readonly string[]) =>
  [texts.length / 3, (2 * texts.length) / 3].flatMap((at) => texts[Math.floor(at)] ?? [])
