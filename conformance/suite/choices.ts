/** Two values of a preference that the tracker takes. Where they come from decides what is asked, and no verdict. */

import { isObject, pointersTo, valueAt } from '../target/look.js'
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

/** Two values that `accepts` takes, from the lists of the create and the settings page, or of the usual ones; or null. */
export async function choicesOf(
  t: Check,
  member: Preference,
  accepts: (value: string) => Promise<boolean>,
): Promise<readonly [string, string] | null> {
  const found: string[] = []
  for (const operation of ['getUserCreatePage', 'getUserSettingsPage'] as const) {
    const { json } = await t.send({ operation })
    for (const at of pointersTo(json, (value) => typeof value === 'object' && value !== null))
      if (hints[member].test(at.split('/').at(-1) ?? ''))
        found.push(...fromTheMiddle(textsOf(valueAt(json, at))))
  }
  const accepted: string[] = []
  for (const value of [...new Set([...found, ...usual[member]])].slice(0, MOST_TRIED)) {
    if (await accepts(value)) accepted.push(value)
    const [one, other] = accepted
    if (one !== undefined && other !== undefined) return [one, other]
  }
  return null
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
