/** Users that were created and changed so that each member tells itself apart from the others. */

import { pointersTo, valueAt } from '../client/look.js'
import type { OperationId } from '../contract/index.js'
import { choicesOf } from './choices.js'
import { designOf, type Pair } from './design.js'
import { usernameOf } from './identity.js'
import { oncePerRun } from './once.js'
import { type Asked, type Bystander, type Moment, type Series, tellingRead, type Value } from './series.js'
import type { Check, OwnUser } from './types.js'
import { createUser, readUser, shownOf, updateUser, views, viewsShown } from './users.js'

export const texts = ['realname', 'email'] as const
export const choices = ['client_preferred', 'language', 'timezone', 'access_level'] as const
export const flags = ['enabled', 'protected'] as const
export const userMembers = [...texts, ...choices, ...flags] as const
export type UserMember = (typeof userMembers)[number]

/**
 * Which of its two values a member has in each creation: no two members alike, nor any in the order of time, and that also
 * among the enabled alone. What is protected is disabled as well, so that one that stays so cannot be used.
 */
const created: Readonly<Record<(typeof choices)[number] | (typeof flags)[number], string>> = {
  enabled: 'ABABAABA',
  protected: 'AAABAABA',
  client_preferred: 'ABBAABBA',
  language: 'ABBBBAAB',
  timezone: 'ABAABBAA',
  access_level: 'AABABBAA',
}

/** Likewise in the updates that give several at once. */
const changed: Readonly<Record<(typeof choices)[number], string>> = {
  client_preferred: 'BABA',
  language: 'BAAB',
  timezone: 'BBAB',
  access_level: 'BABB',
}

export interface UserSeries extends Series {
  /** Users that were made without one member. */
  readonly bare: readonly Bystander[]
  /** Every creation and update that was asked for, whatever it was answered. */
  readonly asked: readonly Asked[]
  readonly bystanders: readonly Bystander[]
  /** Of one that was updated right after another one was given other values. */
  readonly next: readonly Moment[]
  /** Why a member has no two values. */
  readonly lacking: Readonly<Partial<Record<UserMember, string>>>
}

/** Other values than these are not known to be acceptable. */
async function pairsOf(t: Check, shared: OwnUser) {
  const accepts = async (values: object) => {
    const { answer } = await createUser(t, values)
    return answer.status === 200
  }
  const { accessLevel } = t.profile
  const lower = accessLevel === undefined ? null : await lowerLevel(t, shared, accessLevel)
  return {
    enabled: [true, false],
    protected: [false, true],
    client_preferred: [true, false],
    ...(await choicesOf(t, accepts)),
    access_level: accessLevel === undefined || lower === null ? null : [accessLevel, lower],
  } satisfies Record<string, Pair | null>
}

/** Another level that the tracker offers, below the one that is known, so that nobody is given more rights. */
export async function lowerLevel(t: Check, user: OwnUser, level: number): Promise<number | null> {
  for (const { json } of await views(t, user))
    for (const place of pointersTo(json, (value) => typeof value === 'number' && value < level)) {
      // In a list of choices, as a bare number or as the id of a record. It decides what is asked, and no verdict.
      if (/levels\/\d+(\/(id|value|level))?$/i.test(place)) return valueAt(json, place) as number
    }
  return null
}

export const userSeries = oncePerRun(async (t: Check): Promise<UserSeries> => {
  const pairs = await pairsOf(t, await t.run.own.sharedUser())
  const asked: Asked[] = []
  const made: (Omit<Moment, 'shown'> & Made)[] = []
  const { usable, valuesAt, createAll } = designOf(pairs)

  async function create(members: Readonly<Record<string, Value>>): Promise<boolean> {
    const { body, answer, user } = await createUser(t, members)
    const entry: Asked = { members, differs: true, answer }
    asked.push(entry)
    if (user === null) return false
    const { realname, email, username } = body
    made.push({
      entry,
      answer,
      given: [...texts, ...Object.keys(members)],
      state: { ...members, realname, email, username },
      user,
    })
    return true
  }

  async function plainUser() {
    const user = await t.run.own.user()
    const { realname, email, username } = user
    const { accessLevel } = t.profile
    const level = accessLevel === undefined ? {} : { access_level: accessLevel }
    return { user, state: { realname, email, username, ...level, enabled: true, protected: false } }
  }

  /** What nobody gave it is not what another one was given. */
  async function bareUsers(): Promise<Bystander[]> {
    const found: Bystander[] = []
    for (const member of ['realname', 'access_level']) {
      const { answer, user } = await createUser(t, { [member]: undefined })
      const entry: Asked = { members: { [`no ${member}`]: true }, differs: true, answer }
      asked.push(entry)
      if (user === null) continue
      const pages = await views(t, user)
      entry.read = pages[0]
      found.push({ name: user.username, state: {}, shown: shownOf(pages) })
    }
    return found
  }

  let subject: { user: OwnUser; state: Readonly<Record<string, Value>> } | null = null
  await createAll(
    created.enabled.length,
    async (index) => {
      // In the middle, so that there is one before and one after it.
      if (index === 4) subject = await plainUser()
      return create(valuesAt(created, index))
    },
    async (member) =>
      (member !== 'protected' || usable.has('enabled')) &&
      create(valuesAt({ [member]: created[member as keyof typeof created] }, 1)),
  )
  const creations: Moment[] = []
  // When all are there, so that what lists have of others is the same for each.
  for (const { user, entry, ...moment } of made) {
    const pages = await views(t, user)
    entry.read = pages[0]
    creations.push({ ...moment, shown: shownOf(pages) })
  }

  const changes: Moment[] = []
  const next: Moment[] = []
  if (subject !== null) await change(subject)

  /** The first of all has, of each member, the other value than the first update of several gives. */
  async function changeNext(): Promise<void> {
    const [first] = made
    if (first === undefined) return
    const { user, state } = first
    const realname = text.realname(user, 'Next')
    const answer = await updateUser(t, user.username, { realname })
    if (answer.status !== 200) return
    next.push({
      answer,
      given: ['realname'],
      state: { ...state, realname },
      shown: await viewsShown(t, user),
    })
  }

  /** Each member by itself in both directions, then several at once. */
  async function change({ user, state }: NonNullable<typeof subject>): Promise<void> {
    let now = state
    /** What it has, as far as that is known: a refusal may say that it is so already. */
    let known = state
    let turn = 0
    const telling = tellingRead(creations, texts, userMembers)
    const update = async (
      members: Readonly<Record<string, Value>>,
      {
        beside = {},
        read = null,
      }: { readonly beside?: Readonly<Record<string, Value>>; readonly read?: OperationId | null } = {},
    ) => {
      if (Object.keys(members).length === 0) return
      turn += 1
      // By its name and by its id in turn.
      const user_id = turn % 2 === 0 && user.id !== null ? user.id : user.username
      const body = { ...members, ...beside }
      const answer = await updateUser(t, user_id, body)
      // The rest may be refused to one that is disabled.
      const isOpen = known.enabled === false && members.enabled === undefined
      const differs =
        !isOpen &&
        Object.entries(members).every(([name, value]) => known[name] !== undefined && known[name] !== value)
      asked.push({ members: { ...members, ...beside }, differs, answer })
      if (answer.status === 200 || (!differs && Object.keys(members).length === 1))
        known = { ...known, ...members }
      if (answer.status !== 200) return
      now = { ...now, ...members }
      changes.push({
        answer,
        given: Object.keys(members),
        state: now,
        shown: await viewsShown(t, user, read),
      })
    }
    for (const member of texts)
      for (const word of ['Other', 'Third'])
        await update({ [member]: text[member](user, word) }, { read: telling })
    for (const member of choices)
      for (const index of [0, 1]) await update(valuesAt({ [member]: 'BA' }, index), { read: telling })
    for (const [index, word] of ['Fourth', 'Fifth', 'Sixth', 'Seventh'].entries()) {
      const flag = index === 3 ? { enabled: false } : {}
      const several = {
        realname: text.realname(user, word),
        ...valuesAt(changed, index),
        email: text.email(user, word),
        ...flag,
      }
      // A member counts at whatever place it stands, with or without notice.
      const ordered = index % 2 === 0 ? Object.entries(several) : Object.entries(several).toReversed()
      const beside = index < 2 ? { notify_user: index === 0 } : {}
      await update(Object.fromEntries(ordered), { beside })
      if (index === 0) await changeNext()
    }
    for (const enabled of [false, true, true]) await update({ enabled })
    for (const [index, isProtected] of [true, true, false, false, true, false].entries()) {
      await update({
        ...(index === 4 ? valuesAt({ access_level: 'A' }, 0) : {}),
        enabled: false,
        protected: isProtected,
      })
      // Whoever is protected may be kept from what the same update asks for.
      if (index > 0 || known.protected) continue
      await update({ enabled: false })
      await update({ protected: true })
    }
    await update({ realname: text.realname(user, 'Eighth') })
  }

  const bare = await bareUsers()
  return {
    bare,
    creates: 'createUser',
    updates: 'updateUser',
    texts,
    creations,
    changes,
    asked,
    next,
    lacking: Object.fromEntries(
      choices
        .filter((member) => pairs[member] === null)
        .map((member) => [member, `no two values of ${member} are known that a creation accepts`]),
    ),
    bystanders: subject === null ? [] : await bystandersOf(t, made.slice(3, 5)),
  }
})

const text = {
  realname: ({ realname }: OwnUser, word: string) => realname.replace('Kit', word),
  email: ({ email }: OwnUser, word: string) => `${word.toLowerCase()}.${email}`,
}

type Made = { readonly entry: Asked; readonly user: OwnUser; readonly state: Moment['state'] }

/** Those that were made before it and after it, somebody who was there already, and whoever asks. */
async function bystandersOf(t: Check, made: readonly Made[]): Promise<Bystander[]> {
  const others = [t.profile.user?.username, await usernameOf(t, 'administrator')]
  const found: Bystander[] = []
  for (const { user, state } of made)
    found.push({ name: user.username, state, shown: await viewsShown(t, user) })
  for (const name of others) {
    if (!name) continue
    const read = await readUser(t, name)
    found.push({ name, state: {}, shown: shownOf([read]) })
  }
  return found
}
