/**
 * What reads show of a target before a run and after it, as far as it is not the run's own: what differs is told, whoever
 * has changed it. A lying target may do more than it was asked for. What was shown before is kept in the ledger, so that
 * whoever sweeps after a run that was killed compares as the run would have done.
 */
import { createHash } from 'node:crypto'
import type { Profile } from '../contract/index.js'
import { type Call, NoAnswer, owners } from './call.js'
import type { Client } from './client.js'
import type { Page } from './ledger.js'
import { idOf, isObject } from './look.js'
import { Withheld } from './permit.js'

/** Each fact, with how often it is shown. */
type Facts = ReadonlyMap<string, number>

/** `gone`: there is no such page. `unread`: nobody knows, since it cannot be asked for now. */
type Shown = Facts | 'gone' | 'unread'

/** The most differences of one page, so that they do not hide other pages. */
const MOST_TOLD = 5
/** The survey stops after so many unanswered pages in a row. */
const MOST_SILENT = 3
/** The beginning of the names of a run's things. */
const OWN = 'own '
const fields = { title: 'the list of custom fields', call: { operation: 'listCustomFields' } } as const

/** Called before the run: records in the ledger what the run may change apart from its own things. */
export async function lookAround(client: Client, profile: Profile): Promise<void> {
  const read = reader(client, profile)
  const pages: Page[] = []
  const look = async (title: string, call: Page['call']) => {
    const at = Date.now()
    const shown = await read(call, at)
    if (typeof shown !== 'string') pages.push({ title, at, call, facts: [...shown] })
    return typeof shown !== 'string'
  }
  await look(fields.title, fields.call)
  await look('the list of plugins', { operation: 'listPlugins' })
  const users = new Set<string>(profile.user ? [profile.user.username] : [])
  const callers = owners.filter((as) => profile.tokens[as] !== undefined)
  for (const as of callers) {
    await look(`the settings page of tokens.${as}`, { operation: 'getUserSettingsPage', as })
    const name = await client.guard.nameOf(as)
    if (name !== null) users.add(name)
  }
  for (const user_id of users) {
    const isShown = await look(`the edit page of ${user_id}`, {
      operation: 'getUserEditPage',
      path: { user_id },
    })
    // The users of the tokens are read by one view alone, since each read counts.
    if (!isShown || user_id === profile.user?.username)
      await look(`the user ${user_id}`, { operation: 'getUser', path: { user_id } })
  }
  if (client.allows('destructive') && profile.columns) {
    const { columns: _, ...reference } = profile.columns
    for (const as of callers)
      for (const type of new Set([
        reference.type ?? 'view',
        ...(as === 'administrator' ? ['print', 'csv'] : []),
      ])) {
        const call = { operation: 'manageColumns', as, body: { ...reference, type } } as const
        await look(`the columns of the type ${type} of tokens.${as}`, call)
      }
  }
  client.guard.ledger.keep(pages)
}

/**
 * In words what the pages show otherwise than before the runs of the ledger, once they were all read again, and each
 * time which custom fields of theirs are still listed, without those that `known` lines are about.
 */
export async function changedOtherwise(client: Client, profile: Profile, known: readonly string[] = []) {
  const { ledger } = client.guard
  const read = reader(client, profile)
  const before = ledger.survey
  const after = new Map<Page, Shown>()
  const different: string[] = []
  for (const page of before) {
    const now = await read(page.call, page.at)
    after.set(page, now)
    const told = differences(page, now)
    const again = told.length > 0 && typeof now === 'object' ? await read(page.call, page.at) : now
    different.push(...(again === now ? told : differences(...steady(page, now, again))))
  }
  const list = before.find(({ title }) => title === fields.title)
  const listed = (list && after.get(list)) ?? (await read(fields.call))
  const names = known.flatMap((line) => /^custom field (.+?) \(/.exec(line)?.[1]?.split(' or ') ?? [])
  const isNews = (fact: string) => fact.startsWith(OWN) && !names.some((name) => fact.includes(`"${name}"`))
  const own = typeof listed === 'object' ? [...listed.keys()].filter(isNews) : []
  if (before.length > 0 && ![...after.values()].includes('unread')) ledger.compared()
  return [
    ...own.map(
      (fact) => `custom field of the run (listed after the clean-up: ${clipped(fact.slice(OWN.length))})`,
    ),
    ...different,
  ]
}

/** Where a fact stands: its members, and of a record in a list its first one, mostly its id. */
const placeOf = (fact: string) => /^\S+( [[{][^,]*,)?/.exec(fact)?.[0]

/** A value that differs between two reads is not a fact, and neither is what stood there before. */
function steady(page: Page, now: Shown, again: Shown): [Page, Shown] {
  if (typeof now === 'string' || typeof again === 'string') return [page, now]
  const differs = (fact: string) => now.get(fact) !== again.get(fact)
  const places = new Set([...now.keys(), ...again.keys()].filter(differs).map(placeOf))
  const isSteady = ([fact]: readonly [string, number]) => !places.has(placeOf(fact))
  return [{ ...page, facts: page.facts.filter(isSteady) }, new Map([...now].filter(isSteady))]
}

function differences({ title, facts: before }: Page, now: Shown): string[] {
  if (now === 'gone') return [`${title} (shown before the run, and not any more)`]
  if (now === 'unread') return [`${title} (shown before the run, and cannot be read now)`]
  const facts = new Map(before)
  const gone = [...facts].filter(([fact, times]) => (now.get(fact) ?? 0) < times)
  const come = [...now].filter(([fact, times]) => (facts.get(fact) ?? 0) < times && !fact.startsWith(OWN))
  const lines = [
    ...gone.map(([fact]) => `${title} (no longer shows ${fact})`),
    ...come.map(([fact]) => `${title} (has come to show ${fact})`),
  ]
  const more = lines.length - MOST_TOLD
  return more > 0 ? [...lines.slice(0, MOST_TOLD), `${title} (and ${more} differences more)`] : lines
}

/** Reads pages. Times close to now or `since`, in milliseconds since 1970, are not facts. */
function reader(client: Client, profile: Profile) {
  let silent = 0
  return async (call: Call, since = Date.now()): Promise<Shown> => {
    if (silent >= MOST_SILENT) return 'unread'
    try {
      const { status, json } = await client.send(call)
      silent = 0
      if (status === 200 && json !== undefined) return factsOf(json, client, profile, since)
      return status === 401 || status === 403 || status >= 500 ? 'unread' : 'gone'
    } catch (error) {
      if (error instanceof NoAnswer) silent += 1
      else if (!(error instanceof Withheld)) throw error
      return 'unread'
    }
  }
}

/** Records of lists as a whole, in any order; everything else value by value. */
function factsOf(json: unknown, client: Client, profile: Profile, since: number): Facts {
  const facts = new Map<string, number>()
  const { tags } = client.guard.ledger
  const add = (fact: string) => facts.set(fact, (facts.get(fact) ?? 0) + 1)
  const isOwn = (value: unknown) => {
    // A disposable thing may have a name of the run, and still belongs to the profile.
    if (isObject(value) && profile.customField?.ids?.some((id) => id === idOf(value, 'field'))) return false
    const json = JSON.stringify(value).toLowerCase()
    return tags.some((tag) => json.includes(tag))
  }
  const walk = (value: unknown, at: string) => {
    if (Array.isArray(value))
      // Whole, since the name of a thing of the run may stand at its end.
      for (const item of value)
        add(isOwn(item) ? OWN + JSON.stringify(item) : `${at || 'record'} ${clipped(JSON.stringify(item))}`)
    else if (isObject(value))
      for (const [name, item] of Object.entries(value)) walk(item, at ? `${at}.${name}` : name)
    else if (!isOwn(value)) add(`${at} ${clipped(JSON.stringify(value))}`)
  }
  // Masked as a whole, since the names around a value mark it as a secret. Another process numbers secrets otherwise.
  const masked = JSON.stringify(client.redact.json(json)).replace(/\bSECRET\.\d+|\b9000\d{6}\b/g, '0')
  // Times change with each read.
  const lasting = JSON.parse(masked, (_, value: unknown) => (isMoment(value, since) ? null : value))
  walk(lasting, '')
  return facts
}

const DAY = 86_400_000

/** A date close to now, or since then, in any of the usual forms. */
function isMoment(value: unknown, since: number): boolean {
  const isClose = (time: number) => time > since - DAY && time < Date.now() + DAY
  if (typeof value === 'number') return isClose(value > 1e11 ? value : value * 1000)
  if (typeof value !== 'string') return false
  return /\d{4}-\d{2}-\d{2}|\d{2}:\d{2}/.test(value) && isClose(Date.parse(value))
}

function clipped(json: string): string {
  if (json.length <= 160) return json
  // Distinguishes long texts with the same beginning.
  const sum = createHash('sha256').update(json).digest('hex').slice(0, 8)
  return `${json.slice(0, 160)}… (${json.length} characters, ${sum})`
}
