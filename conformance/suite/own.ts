/** The things that a run makes for itself, finds again in answers of unknown shape, and removes at the end. */
import type { OperationId, Profile } from '../contract/index.js'
import type { Answer, Client } from '../target/client.js'
import { Contradiction, Inconclusive, Skip } from './check.js'
import type { Ledger, Resource } from './ledger.js'
import { idAround, mentions, soleId, values } from './look.js'
import { type Swept, sweep } from './sweep.js'

export interface OwnUser {
  username: string
  readonly email: string
  readonly realname: string
  /** Null where no answer reveals it. */
  readonly id: number | null
}

export interface OwnField {
  readonly id: number
  /** Null for a disposable field of the profile. */
  readonly name: string | null
}

export interface Own {
  /** Fresh and plain: small letters alone, unique in the run. */
  name(): string
  /** For a user a name like `name()`, or this one, in the form that usernames must have. */
  username(word?: string): string
  /** Before a check that creates users by itself: the form that usernames must have. */
  learnNames(): Promise<void>
  /** Before a check that creates fields by itself: what the type of the profile must have. */
  learnFields(): Promise<void>
  userBody(
    overrides?: object,
  ): Record<string, unknown> & { username: string; email: string; realname: string }
  fieldBody(overrides?: object): { custom_field: Record<string, unknown> & { name: string } }
  /** Creates a user; skips when the target refuses to. */
  user(overrides?: object): Promise<OwnUser>
  /** A user that checks share because they do not change it. */
  sharedUser(): Promise<OwnUser>
  /** Another than the shared one, to be read and to be asked for what must be refused. */
  otherUser(): Promise<OwnUser>
  /** After a check that did not pass the other user may be changed, so the next check gets a new one. */
  forgetOtherUser(): void
  /** Records a user that a check created by itself. */
  adoptUser(body: { username: string; email: string; realname: string }, answer: Answer): Promise<OwnUser>
  renamed(user: OwnUser, username: string): void
  /** A field to be deleted: a new one, or one of the profile's disposable ones. */
  field(): Promise<OwnField>
  /** Whether answers tell which field was made, so that it can be used and removed. */
  canFollowFields(): Promise<boolean>
  /** A field that checks share because they do not delete it. */
  sharedField(): Promise<OwnField>
  adoptField(name: string, answer: Answer): Promise<OwnField | null>
  fieldRenamed(field: OwnField, name: string): OwnField
  fieldDeleted(field: OwnField): void
  /** A recipient that may be deleted. */
  recipient(): number
  /** A recipient that is still there, for requests that must be refused. */
  presentRecipient(): number | null
  /** Whoever asked for it, and whether or not it should have been refused. */
  recipientDeleted(id: number): void
  /** After a request whose answer was lost: puts back what is shared, and makes other users and fields from then on. */
  startAfresh(): Promise<void>
  /** Removes what a check has left: how many fields and enabled users a tracker may have is not shown. */
  discard(): Promise<Swept>
  /** Removes what can be removed, and puts back what was changed. */
  sweep(options: { keepShared: boolean }): Promise<Swept>
}

/** Of its own things at one time; fewer than this any tracker takes. */
const MANY = 10

type Form = (word: string) => string
const plainForm: Form = (word) => word
/** The end is what tells names apart. */
const shortForm: Form = (word) => word.slice(-8)

const choices = { possible_values: 'Kit one|Kit two' }

/** Fits any rule on passwords that is in common use. */
const DEFAULT_PASSWORD = 'Kit-7f3a!Quartz'

export function createOwn(client: Client, profile: Profile, ledger: Ledger, tag: string): Own {
  let counter = 0
  let sharedUser: OwnUser | null = null
  let otherUser: OwnUser | null = null
  let sharedField: OwnField | null = null
  let opaque = false
  /** The form that usernames must have; null until a creation was answered. */
  let form: Form | null = null
  /** Whether a field must have possible values; null until a creation was answered. */
  let hasChoices: boolean | null = null
  /** What could not be removed when its check had ended. */
  const stuck = new Set<string>()
  /** Operations that have accepted a plain body. */
  const created = new Set<OperationId>()
  const disposable = [...(profile.customField?.ids ?? [])]
  const recipients = [...(profile.recipients ?? [])]

  // Of one width, so that no name is the beginning of another.
  const name = () => `${tag}x${inLetters(++counter, 3)}`
  const addressOf = (word: string) => `${word}@${profile.emailDomain ?? 'example.org'}`
  const username = (word = name()) => (form ?? plainForm)(word)

  function userBody(overrides: object = {}) {
    const word = name()
    const email = addressOf(word)
    return {
      username: username(word),
      email,
      realname: `Kit Person ${word.slice(tag.length + 1)} of ${tag}`,
      password: profile.password?.valid ?? DEFAULT_PASSWORD,
      ...(profile.accessLevel === undefined ? {} : { access_level: profile.accessLevel }),
      enabled: true,
      ...overrides,
    }
  }

  function fieldBody(overrides: object = {}) {
    const { type, nameLimit } = profile.customField ?? {}
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
    const found = await client.send({ operation: 'getUser', path: { user_id: body.username } })
    const around = idAround(answer.json, body.username, 'user') ?? idAround(found.json, body.username, 'user')
    const sole = found.status === 200 && around === null ? soleId(found.json, 'user') : null
    const id = around?.sure ? around.id : await borneOut(around?.id ?? sole, body.username)
    ledger.update(body.username, { kind: 'user', name: body.username, id })
    return { username: body.username, email: body.email, realname: body.realname, id }
  }

  /** An id that may be one of something else, if it addresses the user. */
  async function borneOut(id: number | null, username: string): Promise<number | null> {
    if (id === null) return null
    const byId = await client.send({ operation: 'getUser', path: { user_id: id } })
    return byId.status === 200 && mentions(byId.json, username) ? id : null
  }

  async function user(overrides: object = {}): Promise<OwnUser> {
    const plain = Object.keys(overrides).length === 0
    const body = userBody(overrides)
    const create = () => client.send({ operation: 'createUser', body, effect: 'write' })
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
    const many = operation === 'createCustomField' || ledger.open.length > MANY
    const isFull = many && status === 400
    if (plain && created.has(operation) && !isFull)
      throw new Contradiction(`one more plain creation: expected 200 as before, saw ${status}`, answer)
    throw new Inconclusive(`nothing of its own: ${operation} answered ${status} to a plain body`)
  }

  /** The id by the field's unique name; else the one id of the answer, if its update page bears it out. */
  async function adoptField(fieldName: string, answer: Answer): Promise<OwnField | null> {
    let id = sureId(answer.json, fieldName)
    if (id === null) {
      const list = await client.send({ operation: 'listCustomFields' })
      id = sureId(list.json, fieldName)
      const sole = soleId(answer.json, 'field')
      if (id === null && sole !== null) {
        const page = await client.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: sole } })
        const listed = [...values(list.json)].includes(sole)
        if (page.status === 200 && (mentions(page.json, fieldName) || listed)) id = sole
      }
    }
    ledger.update(fieldName, { kind: 'customField', name: fieldName, id })
    return id === null ? null : { id, name: fieldName }
  }

  async function newField(): Promise<OwnField | null> {
    if (profile.customField?.type === undefined || opaque) return null
    const body = fieldBody()
    const create = () => client.send({ operation: 'createCustomField', body, effect: 'write' })
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
    opaque = isDone(answer) && field === null
    return field
  }

  function fromProfile(id: number | undefined): OwnField {
    if (id === undefined)
      throw new Skip(
        'no field of its own can be found in answers, and the profile has no customField.ids left',
      )
    return { id, name: null }
  }

  return {
    name,
    username,
    async learnNames() {
      if (form !== null || !client.allows('write')) return
      try {
        sharedUser ??= await user()
      } catch (error) {
        if (!(error instanceof Skip)) throw error
        form ??= plainForm
      }
    },
    async learnFields() {
      if (hasChoices !== null || !client.allows('write')) return
      try {
        sharedField ??= await newField()
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
      sharedUser ??= await user()
      return sharedUser
    },
    async otherUser() {
      otherUser ??= await user()
      return otherUser
    },
    forgetOtherUser() {
      otherUser = null
    },
    renamed(own, username) {
      ledger.update(own.username, { kind: 'user', name: username, id: own.id })
      own.username = username
    },
    async field() {
      return (await newField()) ?? fromProfile(disposable.shift())
    },
    async canFollowFields() {
      if (profile.customField?.type === undefined) return false
      sharedField ??= await newField()
      return sharedField !== null && sharedField.name !== null
    },
    async sharedField() {
      sharedField ??= (await newField()) ?? fromProfile(disposable.at(-1))
      return sharedField
    },
    fieldRenamed(field, newName) {
      if (field.name !== null) ledger.update(field.name, { kind: 'customField', name: newName, id: field.id })
      return field.name === null ? field : { ...field, name: newName }
    },
    fieldDeleted(field) {
      if (field.name !== null) ledger.removed('customField', field.name)
      if (field.id === sharedField?.id) sharedField = null
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
      otherUser = null
      sharedField = null
      await sweep(client, profile, ledger, ({ kind }) => kind === 'user' || kind === 'customField')
    },
    async discard() {
      const shared = [sharedUser?.username, otherUser?.username, sharedField?.name]
      const spent = ({ kind, name: one, id }: Resource) =>
        (kind === 'user' || (kind === 'customField' && id !== null)) &&
        !shared.includes(one) &&
        !stuck.has(`${kind} ${one}`)
      const { disabled } = await sweep(client, profile, ledger, (resource) => !spent(resource))
      for (const one of ledger.open.filter(spent)) stuck.add(`${one.kind} ${one.name}`)
      // What could not be removed is tried once more at the end.
      return { disabled, left: [] }
    },
    sweep: ({ keepShared }) =>
      sweep(
        client,
        profile,
        ledger,
        ({ name: one }) => keepShared && (one === sharedUser?.username || one === sharedField?.name),
      ),
  }
}

/** A number in the letters of the alphabet, of one width, for names that no rule on names forbids. */
export function inLetters(number: number, width: number): string {
  const letter = (place: number) => String.fromCharCode(97 + (Math.floor(number / 26 ** place) % 26))
  return Array.from({ length: width }, (_, index) => letter(width - 1 - index)).join('')
}

/** Another success than 200 is for a requirement to fail; what was made is there all the same. */
const isDone = ({ status }: Answer) => status >= 200 && status < 300

function sureId(json: unknown, fieldName: string): number | null {
  const around = idAround(json, fieldName, 'field')
  return around?.sure ? around.id : null
}
