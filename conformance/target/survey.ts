/**
 * What reads show of a target before a run and after it, as far as it is not the run's own: what differs is told, whoever
 * has changed it. A lying target may do more than it was asked for.
 */
import type { Profile } from '../contract/index.js'
import { type Call, type Identity, NoAnswer } from './call.js'
import type { Client } from './client.js'
import { Withheld } from './judge.js'
import { isObject } from './look.js'

export type Survey = ReadonlyMap<string, Facts>

/** Each fact with the times that it is shown. */
type Facts = ReadonlyMap<string, number>

/** Of one page; more would hide the rest of a list. */
const MOST_TOLD = 5
const FIELDS = 'the list of custom fields'
/** Begins what is the run's own. */
const OWN = 'own '
const identities: readonly Identity[] = ['administrator', 'restricted', 'password']

export async function surveyOf(client: Client, profile: Profile): Promise<Survey> {
  const survey = new Map<string, Facts>()
  const look = async (title: string, call: Call) => {
    const answer = await client.send(call).catch(unlessSilent)
    if (answer?.status === 200 && answer.json !== undefined) survey.set(title, factsOf(answer.json, client))
  }
  await look(FIELDS, { operation: 'listCustomFields' })
  await look('the list of plugins', { operation: 'listPlugins' })
  const users = new Set<string>(profile.user ? [profile.user.username] : [])
  for (const as of identities) {
    if (profile.tokens[as] === undefined) continue
    await look(`the settings page of tokens.${as}`, { operation: 'getUserSettingsPage', as })
    const name = await client.guard.nameOf(as)
    if (name !== null) users.add(name)
  }
  for (const user_id of users) {
    await look(`the user ${user_id}`, { operation: 'getUser', path: { user_id } })
    await look(`the edit page of ${user_id}`, { operation: 'getUserEditPage', path: { user_id } })
  }
  if (client.allows('destructive') && profile.columns) {
    const { columns: _, ...reference } = profile.columns
    for (const as of identities)
      for (const type of new Set([reference.type ?? 'view', 'print', 'csv'])) {
        const body = { ...reference, type }
        if (profile.tokens[as] !== undefined)
          await look(`the columns of the type ${type} of tokens.${as}`, {
            operation: 'manageColumns',
            as,
            body,
          })
      }
  }
  return survey
}

/** In words what the pages show otherwise than before. */
export function differences(before: Survey, after: Survey): string[] {
  const own = [...(after.get(FIELDS)?.keys() ?? [])].filter((fact) => fact.startsWith(OWN))
  const left = own.map(
    (fact) => `custom field of the run (listed after the clean-up: ${fact.slice(OWN.length)})`,
  )
  return [...left, ...foreign(before, after)]
}

function foreign(before: Survey, after: Survey): string[] {
  return [...before].flatMap(([title, facts]) => {
    const now = after.get(title)
    if (now === undefined) return [`${title} (shown before the run, and not any more)`]
    const gone = [...facts].filter(([fact, times]) => (now.get(fact) ?? 0) < times)
    const come = [...now].filter(([fact, times]) => (facts.get(fact) ?? 0) < times && !fact.startsWith(OWN))
    const lines = [
      ...gone.map(([fact]) => `${title} (no longer shows ${fact})`),
      ...come.map(([fact]) => `${title} (has come to show ${fact})`),
    ]
    const more = lines.length - MOST_TOLD
    return more > 0 ? [...lines.slice(0, MOST_TOLD), `${title} (and ${more} differences more)`] : lines
  })
}

/** Records of lists as a whole, in whatever order they stand; the rest value by value. */
function factsOf(json: unknown, client: Client): Facts {
  const facts = new Map<string, number>()
  const add = (fact: string) => facts.set(fact, (facts.get(fact) ?? 0) + 1)
  const isOwn = (value: unknown) =>
    JSON.stringify(client.redact.json(value)).toLowerCase().includes(client.guard.ledger.tag)
  const walk = (value: unknown, at: string) => {
    if (Array.isArray(value)) {
      for (const item of value) {
        const shown = clipped(client.redact.json(withoutMoments(item)))
        add(isOwn(item) ? `${OWN}${shown}` : `${at || 'in its list'} ${shown}`)
      }
    } else if (isObject(value))
      for (const [name, item] of Object.entries(value)) walk(item, at ? `${at}.${name}` : name)
    else if (!isMoment(value) && !isOwn(value)) add(`${at} ${clipped(client.redact.json(value))}`)
  }
  walk(json, '')
  return facts
}

/** Times and counts of visits change with every read. */
function withoutMoments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMoments)
  if (!isObject(value)) return isMoment(value) ? null : value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutMoments(item)]))
}

const DAY = 86_400_000

/** A date near to now, in any of the usual forms. */
export function isMoment(value: unknown): boolean {
  const time =
    typeof value === 'number'
      ? value > 1e11
        ? value
        : value * 1000
      : typeof value === 'string' && /\d{4}-\d{2}-\d{2}|\d{2}:\d{2}/.test(value)
        ? Date.parse(value)
        : Number.NaN
  return Math.abs(time - Date.now()) < DAY
}

const clipped = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 160 ? `${text.slice(0, 160)}… (${text.length} characters, ${sum(text)})` : text
}

/** Tells long texts apart that begin alike. */
function sum(text: string): string {
  let hash = 0
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0
  return (hash >>> 0).toString(36)
}

/** A page that cannot be asked for now shows nothing, which is told. */
function unlessSilent(error: unknown): null {
  if (error instanceof NoAnswer || error instanceof Withheld) return null
  throw error
}
