/** The things that a run makes for itself, finds again in answers of unknown shape, and removes at the end. */

import type { OperationId, Profile } from '../contract/index.js'
import type { Answer } from '../target/call.js'
import { type Client, inLetters, madeUpPassword } from '../target/client.js'
import type { Entry, Ledger } from '../target/ledger.js'
import { idAround } from '../target/look.js'
import { type Swept, sweep } from '../target/sweep.js'
import type { Own, OwnField, OwnUser } from './types.js'
import { Contradiction, Inconclusive, Skip } from './verdicts.js'

/** Of its own things at one time; fewer than this any tracker takes. */
const MANY = 10

type Form = (word: string) => string
const plainForm: Form = (word) => word
/** The end is what tells names apart. */
const shortForm: Form = (word) => word.slice(-8)

const choices = { possible_values: 'Kit one|Kit two' }

/** As `make`; while one is being made, whoever asks gets that one. */
function oneAtATime<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().finally(() => {
      made = null
    })
    return made
  }
}

/**
 * `given`: the profile as far as the target bears it out by now. `profile`: the whole, for what is put back. `place`: of the
 * check that asks among those that are under way, each of which has another user that it may change.
 */
export function createOwn(
  client: Client,
  profile: Profile,
  ledger: Ledger,
  given = () => profile,
  place = () => 0,
): Own {
  const { tag } = ledger
  const { proofs } = client.guard
  const madeUp = madeUpPassword()
  client.redact.hide(madeUp)
  const password = () => given().password?.valid ?? madeUp
  // Where the target refuses the domain of the profile, another one is what it is compared with.
  const spareDomain = profile.emailDomain === 'example.org' ? 'example.com' : 'example.org'
  let counter = 0
  let sharedUser: OwnUser | null = null
  let otherUsers: (OwnUser | null)[] = []
  let sharedField: OwnField | null = null
  let mayLackField = false
  let opaque = false
  /** The form that usernames must have; null until a creation was answered. */
  let form: Form | null = null
  /** Whether a field must have possible values; null until a creation was answered. */
  let hasChoices: boolean | null = null
  /** What could not be removed when its check had ended. */
  const stuck = new Set<Entry>()
  const swept: Swept[] = []
  /** Operations that have accepted a plain body. */
  const created = new Set<OperationId>()
  const givenAway = new Set<number>()
  const disposable = () => (given().customField?.ids ?? []).filter((id) => !givenAway.has(id))
  const recipients = [...(profile.recipients ?? [])]

  // Of one width, so that no name is the beginning of another.
  const name = () => `${tag}x${inLetters(++counter, 3)}`
  const addressOf = (word: string) => `${word}@${given().emailDomain ?? spareDomain}`
  const username = (word = name()) => (form ?? plainForm)(word)

  function userBody(overrides: object = {}) {
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

  function fieldBody(overrides: object = {}) {
    const { type, nameLimit } = given().customField ?? {}
    // The end is what tells names apart.
    return {
      custom_field: {
        name: name().slice(-(nameLimit ?? 0)),
        ...(hasChoices ? choices : {}),
        ...(type === undefined ? {} : { type }),
        ...overrides,
      },
    }
  }

  async function adoptUser(
    body: { username: string; email: string; realname: string },
    answer: Answer,
  ): Promise<OwnUser> {
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

  const entryOf = (kind: Entry['kind'], name: string): Entry | undefined =>
    ledger.open.findLast((entry) => entry.kind === kind && entry.name === name)

  async function user(overrides: object = {}): Promise<OwnUser> {
    const plain = Object.keys(overrides).length === 0
    const body = userBody(overrides)
    const create = () => client.send({ operation: 'createUser', body })
    let answer = await create()
    const word = body.username
    for (const other of form === null && plain ? [addressOf, shortForm] : []) {
      if (answer.status !== 400) break
      body.username = other(word)
      answer = await create()
      if (isDone(answer)) form = other
    }
    if (!isDone(answer)) refused(answer, plain)
    form ??= plainForm
    if (plain) created.add('createUser')
    return adoptUser(body, answer)
  }

  /** The same body but for its names was accepted before: then a refusal is one that nothing explains. */
  function refused(answer: Answer, plain: boolean): never {
    const { operation, status } = answer
    // How many fields, or enabled users, a tracker may have is not shown.
    const many =
      operation === 'createCustomField' || ledger.open.filter(({ kind }) => kind === 'user').length > MANY
    const isFull = many && status === 400
    if (plain && created.has(operation) && !isFull)
      throw new Contradiction(`one more plain creation: expected 200 as before, saw ${status}`, answer)
    throw new Inconclusive(`nothing of its own: ${operation} answered ${status} to a plain body`)
  }

  /** Null where no answer tells which field it is. One that is told and not proven is for reads alone; the guard sees to that. */
  async function adoptField(fieldName: string, answer: Answer): Promise<OwnField | null> {
    const entry = entryOf('customField', fieldName)
    if (entry === undefined) return null
    const told = idAround(answer.json, fieldName, 'field')
    // Where one that was told has been proven, the next one is when it is to be changed.
    const isFollowed = ledger.known.some(({ kind, id }) => kind === 'customField' && id !== null)
    const proven = told?.sure && isFollowed ? null : await proofs.adopt(entry, answer)
    if (told?.sure) return { id: told.id, name: fieldName }
    const id = proven ?? (await proofs.adopt(entry, await client.send({ operation: 'listCustomFields' })))
    return id === null ? null : { id, name: fieldName }
  }

  async function newField(): Promise<OwnField | null> {
    if (given().customField?.type === undefined || opaque) return null
    const body = fieldBody()
    const create = () => client.send({ operation: 'createCustomField', body })
    let answer = await create()
    if (hasChoices === null && answer.status === 400) {
      Object.assign(body.custom_field, choices)
      answer = await create()
      hasChoices = isDone(answer)
    }
    hasChoices ??= false
    if (!isDone(answer) && created.has('createCustomField')) refused(answer, true)
    const field = isDone(answer) ? await adoptField(body.custom_field.name, answer) : null
    if (isDone(answer)) created.add('createCustomField')
    // One that cannot be found cannot be removed either, so there shall not be more of them.
    const isProven = ledger.known.some(({ kind, id }) => kind === 'customField' && id !== null)
    opaque = isDone(answer) && (field === null || !isProven)
    return field
  }

  const makeSharedUser = oneAtATime(() => user())
  const makeSharedField = oneAtATime(newField)

  function fromProfile(id: number | undefined): OwnField {
    if (id !== undefined && !client.allows('destructive'))
      throw new Skip(
        'needs --safety destructive: no field of its own can be found, and customField.ids are given away',
      )
    if (id === undefined)
      throw new Skip(
        'no field of its own can be found in answers, and the profile has no customField.ids left',
      )
    return { id, name: null }
  }

  /** What cannot be removed or put back now is tried once more at the end, and told then. */
  async function clean(keep: (entry: Entry) => boolean): Promise<void> {
    const one = await sweep(client, profile, ledger, keep)
    // Most checks leave nothing, so a long run keeps few of them.
    if (one.told.length + one.disabled.length + one.still.length > 0) swept.push({ ...one, left: [] })
  }

  const isShared = ({ kind, name: one }: Entry) =>
    kind === 'user'
      ? one === sharedUser?.username || otherUsers.some((other) => one === other?.username)
      : kind === 'customField' && one === sharedField?.name

  return {
    name,
    username,
    get password() {
      return password()
    },
    async learnNames() {
      if (form !== null || !client.allows('write')) return
      try {
        sharedUser ??= await makeSharedUser()
      } catch (error) {
        if (!(error instanceof Skip)) throw error
        form ??= plainForm
      }
    },
    async learnFields() {
      if (hasChoices !== null || !client.allows('write')) return
      try {
        sharedField ??= await makeSharedField()
      } catch (error) {
        if (!(error instanceof Skip)) throw error
      }
      hasChoices ??= false
    },
    userBody,
    fieldBody,
    user,
    adoptUser,
    adoptField,
    async sharedUser() {
      sharedUser ??= await makeSharedUser()
      return sharedUser
    },
    async otherUser() {
      const mine = place()
      otherUsers[mine] ??= await user()
      return otherUsers[mine] ?? user()
    },
    forgetOtherUser() {
      otherUsers[place()] = null
    },
    renamed(own, username) {
      own.username = username
    },
    async field() {
      const own = await newField()
      if (own !== null) return own
      const { id } = fromProfile(disposable()[0])
      givenAway.add(id)
      return { id, name: null }
    },
    async canFollowFields() {
      if (given().customField?.type === undefined) return false
      sharedField ??= await makeSharedField()
      return sharedField !== null && sharedField.name !== null && !opaque
    },
    async sharedField() {
      sharedField ??= (await makeSharedField()) ?? fromProfile(disposable().at(-1))
      return sharedField
    },
    fieldRenamed: (field, newName) => (field.name === null ? field : { ...field, name: newName }),
    fieldDeleted(field) {
      if (field.id === sharedField?.id) sharedField = null
    },
    deletionAnswered(id, status) {
      if (id !== sharedField?.id) return
      if (isDone({ status })) sharedField = null
      else mayLackField = true
    },
    get mayLackField() {
      return mayLackField
    },
    async lacksField() {
      const lost = sharedField
      mayLackField = false
      if (lost === null) return false
      const page = { operation: 'getCustomFieldUpdatePage', path: { field_id: lost.id } } as const
      const isGone = (await client.send(page)).status === 404
      if (isGone && lost.name === null) givenAway.add(lost.id)
      if (isGone) sharedField = null
      return isGone
    },
    recipient() {
      const id = recipients.shift()
      if (id === undefined) throw new Skip('the profile has no recipients left to delete')
      return id
    },
    presentRecipient: () => recipients.at(-1) ?? null,
    recipientDeleted(id) {
      const place = recipients.indexOf(id)
      if (place !== -1) recipients.splice(place, 1)
    },
    async startAfresh() {
      sharedUser = null
      otherUsers = []
      sharedField = null
      await clean(({ kind }) => kind === 'user' || kind === 'customField')
    },
    async discard(mine) {
      // One whose id was told and not asked back yet is proven when it is to be removed.
      const canBeFound = ({ kind, id, told }: Entry) =>
        kind === 'customField' && (id !== null || told.length > 0)
      await this.putBack('session')
      const spent = (entry: Entry) =>
        (mine?.has(entry) ?? true) &&
        (entry.kind === 'user' || canBeFound(entry)) &&
        !isShared(entry) &&
        !stuck.has(entry)
      await clean((entry) => !spent(entry))
      for (const entry of ledger.open.filter(spent)) stuck.add(entry)
    },
    async putBack(kind) {
      const isOther = (entry: Entry) =>
        entry.kind !== kind || entry.value === undefined || entry.state === 'gone'
      if (!ledger.open.every(isOther)) await clean(isOther)
    },
    async sweep({ keepShared }) {
      swept.push(await sweep(client, profile, ledger, keepShared ? isShared : undefined))
    },
    swept,
  }
}

/** Another success than 200 is for a requirement to fail; what was made is there all the same. */
const isDone = ({ status }: Pick<Answer, 'status'>) => status >= 200 && status < 300
