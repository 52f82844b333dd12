/** The users that a run makes for itself. */

import type { Answer } from '../client/call.js'
import type { Entry } from '../client/ledger.js'
import { idAround } from '../client/look.js'
import { madeUpPassword } from '../client/made-up.js'
import type { Profile } from '../contract/index.js'
import { isDone, type Maker, oneAtATime } from './own-maker.js'
import { Contradiction, Skip } from './verdicts.js'

export interface OwnUser {
  username: string
  readonly email: string
  readonly realname: string
  /** Null where no answer reveals it. */
  readonly id: number | null
}

export interface UserBody extends Record<string, unknown> {
  username: string
  email: string
  realname: string
}

type Form = (word: string) => string
const plainForm: Form = (word) => word
/** The end is what tells names apart. */
const shortForm: Form = (word) => word.slice(-8)
/** Of letters alone, and of two parts. */
const dottedForm: Form = (word) => `kit.${word.replace(/\d/g, (digit) => `q${'abcdefghij'[Number(digit)]}`)}`

/** `place`: of the check that asks among those that are under way, each of which has another user that it may change. */
export function createOwnUsers(
  { client, ledger, given, name, created, entryOf, refused }: Maker,
  profile: Profile,
  place: () => number,
) {
  const { proofs } = client.guard
  const madeUp = madeUpPassword()
  client.redact.hide(madeUp)
  // Where the target refuses the domain of the profile, another one is what it is compared with.
  const spareDomain = profile.emailDomain === 'example.org' ? 'example.com' : 'example.org'
  const password = () => given().password?.valid ?? madeUp
  let sharedUser: OwnUser | null = null
  let otherUsers: (OwnUser | null)[] = []
  /** The form that usernames must have; null until a creation was answered. */
  let form: Form | null = null

  const addressOf = (word: string) => `${word}@${given().emailDomain ?? spareDomain}`
  /** A name like `name()`, or this one, in the form that usernames must have. */
  const username = (word = name()) => (form ?? plainForm)(word)

  function userBody(overrides: object = {}): UserBody {
    const word = name()
    const { accessLevel } = given()
    const email = addressOf(word)
    return {
      username: username(word),
      email,
      realname: `Kit Person ${word}`,
      password: password(),
      ...(accessLevel === undefined ? {} : { access_level: accessLevel }),
      enabled: true,
      ...overrides,
    }
  }

  /** Records a user that a check created by itself. */
  async function adoptUser(body: Omit<OwnUser, 'id'>, answer: Answer): Promise<OwnUser> {
    const entry = userEntryOf(body)
    await readAtOnce(body.username)
    const standing = await proofs.at('user', body.username)
    // One that is told and not proven is for reads alone; the guard sees to that.
    const told = idAround(answer.json, body.username, 'user')
    if (entry && !told?.sure) await proofs.adopt(entry, answer)
    // Where its own page shows its id, and the answer did not.
    if (entry?.id === null && !told?.sure && typeof standing === 'object')
      await proofs.adopt(entry, await client.send({ operation: 'getUser', path: { user_id: body.username } }))
    const id = told?.sure ? told.id : (entry?.id ?? null)
    return { username: body.username, email: body.email, realname: body.realname, id }
  }

  /** One that is there from the second read on was there at the first. */
  async function readAtOnce(user_id: string): Promise<void> {
    const read = () => client.send({ operation: 'getUser', path: { user_id } })
    const first = await read()
    if (first.status === 404 && (await read()).status === 200)
      throw new Contradiction('reading a user who was just created: expected 200, saw 404', first)
  }

  /** By its name, or where that was no text, by the word in its address. */
  function userEntryOf({ username, email }: { username: string; email: string }): Entry | undefined {
    const byWord = ({ kind, words }: Entry) => kind === 'user' && words.some((word) => email.includes(word))
    const entry = entryOf('user', username) ?? ledger.open.findLast(byWord)
    if (entry && entry.name !== username) ledger.set(entry, { also: [...entry.also, username] })
    return entry
  }

  /** Creates a user; skips when the target refuses to. */
  async function user(overrides: object = {}): Promise<OwnUser> {
    const plain = Object.keys(overrides).length === 0
    const body = userBody(overrides)
    const create = (of = body) => client.send({ operation: 'createUser', body: of })
    let answer = await create()
    const word = body.username
    for (const other of form === null && plain ? [addressOf, shortForm, dottedForm] : []) {
      if (answer.status !== 400) break
      body.username = other(word)
      answer = await create()
      if (isDone(answer)) form = other
    }
    if (!isDone(answer)) await refused(answer, plain, async () => (await create(userBody())).status)
    form ??= plainForm
    if (plain) created.add('createUser')
    return adoptUser(body, answer)
  }

  const makeSharedUser = oneAtATime(() => user())

  return {
    username,
    /** Of all users that the run makes. */
    password,
    userBody,
    user,
    adoptUser,
    /** Before a check that creates users by itself: the form that usernames must have. */
    async learnNames() {
      if (form !== null || !client.allows('write')) return
      try {
        sharedUser ??= await makeSharedUser()
      } catch (error) {
        if (!(error instanceof Skip)) throw error
        form ??= plainForm
      }
    },
    /** A user that checks share because they do not change it. */
    async sharedUser() {
      sharedUser ??= await makeSharedUser()
      return sharedUser
    },
    /** Another than the shared one, to be read and to be asked for what must be refused. */
    async otherUser() {
      const mine = place()
      otherUsers[mine] ??= await user()
      return otherUsers[mine] ?? user()
    },
    /** After a check that did not pass the other user may be changed, so the next check gets a new one. */
    forgetOtherUser() {
      otherUsers[place()] = null
    },
    renamed(own: OwnUser, username: string) {
      own.username = username
    },
    isSharedUser: (one: string) =>
      one === sharedUser?.username || otherUsers.some((other) => one === other?.username),
    forgetUsers() {
      sharedUser = null
      otherUsers = []
    },
  }
}
