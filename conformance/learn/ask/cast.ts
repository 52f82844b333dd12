/** Sends the requests of probes: things of the run stand for those of the starting state that the probes are about. */
import type { Step } from '../../contract/decisions/index.js'
import type { Asked, Strayed } from '../../contract/decisions/probe.js'
import { padded, unknownName } from '../../drive/defects.js'
import type { Answered, Ask, Credentials, Driver } from '../../drive/driver.js'
import { newField, removeField } from '../../drive/fields.js'
import { email, newUser, realname, userBody, username } from '../../drive/users.js'
import { isObject } from '../../oracle/json.js'
import { knownValue, type Thing } from '../../oracle/things.js'
import { actingFor, credentialsIn, giveBack } from './acting.js'

/** The people of probes, with what is special about each. */
const roles: Readonly<Record<string, object>> = {
  ...{ nina: {}, silent: { email: '', realname: '' } },
  ...{ former: { enabled: false }, kiosk: { protected: true } },
  ...{ viewer: { access_level: 10 }, reporter: { access_level: 25 }, developer: { access_level: 55 } },
  ...{ manager: { access_level: 70 }, 'second.admin': { access_level: 90 } },
}

/** Members of a user after whose change it is no longer what the next probe expects. */
const lasting = ['username', 'enabled', 'protected', 'access_level']
const NO_PROJECT = '987654'
/** Outside of markup, which a tracker may remove. */
const firstWord = /(?<![</\p{L}\d])[\p{L}\d]+/u

/** Nothing on this target can stand for what a probe is about. */
class Absent extends Error {}
function absent(): never {
  throw new Absent()
}

/** Returns what sends a step, unless the target has nothing for it. */
export function castOf(driver: Driver): (step: Step) => Promise<void> {
  const { profile } = driver
  const { projects = [], passwordAccount, plugin, recipients = [], projectAccessLevel = 'reporter' } = profile
  const people = new Map<string, Thing>()
  const wayOf = actingFor(driver)
  /** The credentials of the session that the last impersonation has begun. */
  let session: Credentials | undefined
  let field: Thing | undefined
  /** Stand for fields of the run whose ids no page shows; the last one is for others. */
  const spare = profile.customField?.ids?.slice(0, -1) ?? []

  async function person(role: string): Promise<Thing> {
    // At `read` no user can be made, and the user of the profile cannot be changed.
    const isOther = role !== 'nina' || driver.client.allows('write')
    const known = isOther
      ? undefined
      : driver.world.of('known').find(({ name }) => name === profile.user?.username)
    const user = people.get(role) ?? known ?? (await newUser(driver, roles[role])) ?? absent()
    people.set(role, user)
    return user
  }

  async function callerOf({ as = 'administrator', path = {} }: Asked): Promise<Partial<Ask>> {
    if (as === 'administrator') return {}
    if (as === null) return { caller: 'nobody' }
    if (as === 'restricted' || as === 'password' || as === 'disabled')
      return driver.has(as) ? { caller: as } : absent()
    const isSelf = path.user_id === as
    if (/reporter|viewer/.test(as) && !isSelf && driver.has('restricted')) return { caller: 'restricted' }
    const { name } = as in roles ? await person(as) : absent()
    return (await wayOf(name)) ?? absent()
  }

  async function addressOf({ path = {} }: Asked): Promise<string | undefined> {
    const [[parameter, value] = []] = Object.entries(path)
    const text = String(value)
    if (parameter === 'user_id') {
      if (text === 'nobody') return driver.word()
      if (text === 'NINA') return (await person('nina')).name.toUpperCase()
      if (text === 'administrator' || text === 'password')
        return (await driver.client.guard.nameOf(text)) ?? absent()
      return text in roles ? (await person(text)).name : text
    }
    if (parameter === 'field_id') {
      if (typeof value === 'string') return value
      await makeField(value === 1 ? projects.slice(0, 1) : undefined)
      return field?.id ?? String(spare[0] ?? absent())
    }
    if (parameter === 'recipient_id') {
      if (typeof value === 'string') return value
      const at = String((value === 99 ? recipients.at(-1) : recipients[0]) ?? absent())
      // Nothing is sent to a recipient that may be somebody's, so one that is deleted stands for none.
      if (value === 99) await driver.ask({ op: 'deleteHelpdeskRecipient', at })
      return at
    }
    if (parameter !== 'plugin_name') return undefined
    if (text === 'Nothing') return unknownName(driver)
    if (/Core|Timeline/.test(text)) absent()
    const { name } = plugin ?? absent()
    return text === 'snippets' ? name.toLowerCase() : name
  }

  async function makeField(linked?: readonly string[]): Promise<void> {
    if (linked && !driver.client.allows('destructive')) await removeField(driver, field)
    if (linked || !field || field.isGone || field.isUnsure) field = await newField(driver, {}, linked)
  }

  const project = (value: unknown) => {
    const number = Number(value)
    if (Number.isNaN(number) || number < 1) return value
    const id = number > 4 ? NO_PROJECT : (projects[number - 1] ?? absent())
    return typeof value === 'number' && /^\d+$/.test(id) ? Number(id) : id
  }

  /** A text of the run with the blanks, signs, markup and length of the given one. */
  const own = (text: string) =>
    text.length > 40
      ? padded(driver.word(), text.length)
      : text.replace(firstWord, (some) => driver.word() + (some.length > 2 ? '' : some))

  const secret = (text: string, { as }: Asked) => {
    const others = { current: driver.password, next: driver.password }
    const { current, next } = as === 'password' ? { ...passwordAccount } : others
    if (text === 'Sunny-Day-2024') return current
    return /^(Other-Word|Given-Password)/.test(text) ? next : text
  }
  const { userSetting } = profile
  const column = () => profile.columns?.columns[0] ?? absent()
  /** What stands for a text of the starting state, by the member that has it; other members keep their texts. */
  const texts: Readonly<Record<string, (text: string, step: Asked) => unknown>> = {
    username(text) {
      if (text === 'nina') return people.get('nina')?.name
      if (text === 'Nina Neumann') return knownValue(people.get('nina'), 'realname')
      return text === 'otto' ? username(driver) : own(text)
    },
    email(text) {
      if (text === 'Nina@Example.org') return String(knownValue(people.get('nina'), 'email')).toUpperCase()
      // The users of an earlier run keep their addresses.
      return /^\w+@example\.org$/.test(text) ? email(driver) : text.replace(/^[^@]/, `${driver.word()}$&`)
    },
    realname: (text) =>
      text.length > 40 ? own(text) : `${realname(driver)}${text.includes('<') ? text : ''}`,
    password: secret,
    password_current: secret,
    name(text) {
      if (text === 'CUSTOMER') return (field?.name ?? absent()).toUpperCase()
      // The longest name, and one that is longer.
      const { nameLimit: most = 0 } = profile.customField ?? {}
      const length = most && { 50: most, 70: most + 1 }[text.length]
      return own(length ? 'x'.repeat(length) : text)
    },
    access_level(text, { operation }) {
      if (operation !== 'addUserToProjects' || !/^reporter$/i.test(text)) return text
      return text === 'reporter' ? projectAccessLevel : projectAccessLevel.toUpperCase()
    },
    option: (text) => (text === 'refresh_delay' ? (userSetting?.option ?? text) : text),
    value: (text) => (/^(5|20)$/.test(text) ? (userSetting?.value ?? text) : text),
    columns: (text) => (text === 'id' ? column() : text === 'ID' ? column().toUpperCase() : text),
  }

  /** A setting of the extension that the profile has. */
  const [first] = profile.settings ?? []
  const pairs = Object.entries(isObject(first) ? first : {})
  const [named, given] = pairs.find(([key]) => key !== 'value') ?? []
  const option = /^(option|name|key)$/.test(named ?? '') ? String(given) : named

  function filled(value: unknown, name: string, step: Asked): unknown {
    if (value === 'page_size') return option ?? absent()
    if (value === 9) return pairs.find(([key]) => key === 'value')?.[1] ?? given
    if (/^project/.test(name) && !isObject(value))
      return Array.isArray(value) ? value.map(project) : project(value)
    if (Array.isArray(value)) return value.map((one) => filled(one, name, step))
    if (typeof value === 'string' && value !== '') return texts[name]?.(value, step) ?? value
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key === 'page_size' ? (option ?? absent()) : key,
        key === 'id' && name === 'project' ? project(one) : filled(one, key, step),
      ]),
    )
  }

  /** The body of a step, with what this target needs besides. */
  function bodyOf(step: Asked): unknown {
    const body = filled(step.body, '', step)
    if (!isObject(body)) return body
    if (step.operation === 'createUser' && Object.keys(body).length > 0)
      return { ...userBody(driver), username: undefined, email: undefined, realname: undefined, ...body }
    if (step.operation === 'manageColumns' && Object.keys(body).length > 0 && body.type !== 'view') {
      const { columns: _, ...reference } = profile.columns ?? absent()
      const isSame = String(body.project) === projects[0]
      return { ...reference, ...body, ...(isSame && { project: reference.project }) }
    }
    const { custom_field: part } = body
    if (step.operation !== 'createCustomField' || !isObject(part) || !('name' in part)) return body
    return { ...body, custom_field: { type: profile.customField?.type, ...part } }
  }

  /** The credentials that a step writes out. */
  function credentialsOf(text: string | null): Credentials {
    if (text?.includes('{impersonated}')) return session ?? absent()
    return { authorization: text?.replace('{administrator}', profile.tokens.administrator) ?? null }
  }

  async function askOf(step: Asked): Promise<Ask> {
    const { operation: op, query, raw, headers = {} } = step
    if (/"(nina|Nina)/.test(JSON.stringify([step.body, headers]))) await person('nina')
    if (JSON.stringify(step.body ?? '').includes('CUSTOMER')) await makeField()
    const { authorization, ...others } = headers
    const written = authorization === undefined ? {} : { caller: credentialsOf(authorization) }
    const who =
      others['x-mantis-username'] === 'nina' ? { 'x-mantis-username': people.get('nina')?.name ?? '' } : {}
    const ask = {
      ...{ op, at: await addressOf(step), raw },
      ...(query !== undefined && { query: query.replace(/^\?/, '') }),
      ...(step.body !== undefined && { body: bodyOf(step) }),
    }
    // The caller comes last: its token may act as a user who may not make what the request is about.
    const way = await callerOf(step)
    return { ...ask, ...way, ...written, headers: { ...way.headers, ...others, ...who } }
  }

  /** Restores what later steps rely on. */
  async function after(ask: Ask, { status, made }: Answered): Promise<void> {
    const { op, at, body } = ask
    if (made?.kind === 'field' && !driver.client.allows('destructive')) await removeField(driver, made)
    if (status !== 200) return
    if (op === 'installPlugin' || op === 'uninstallPlugin') isInstalled = op === 'installPlugin'
    if (op === 'deleteCustomField' && at === String(spare[0])) spare.shift()
    const names = isObject(body) ? Object.keys(body) : []
    if (op === 'addUserToProjects' || (op === 'updateUser' && names.some((name) => lasting.includes(name))))
      for (const [role, { name }] of people) if (name === at) people.delete(role)
    if (op === 'changeOwnPassword' && isObject(body) && passwordAccount)
      await driver.ask({
        ...ask,
        body: { password_current: body.password, password: passwordAccount.current },
      })
  }

  /** Whether the plugin of the profile is installed. */
  let isInstalled = false
  /** Gives the plugin the state that the plugin of a probe has in the starting state. */
  async function prepare(at: string, name: string, { operation: op }: Asked): Promise<void> {
    const isWanted = !/snippets/i.test(name)
    if (isWanted !== isInstalled)
      await driver.ask({ op: isWanted ? 'installPlugin' : 'uninstallPlugin', at: plugin?.name })
    isInstalled = isWanted
    const isKept = name === 'Helpdesk' && op === 'uninstallPlugin'
    if (!isKept) return
    const { min = 1, max = 3 } = plugin?.priority ?? {}
    // No range of priorities may explain how the protected plugin is treated.
    for (const body of [{ priority: max }, { priority: min, protected: true }])
      await driver.ask({ op: 'updatePlugin', at, body })
  }

  async function send(step: Asked): Promise<void> {
    const ask = await askOf(step)
    const { plugin_name: name = 'Nothing' } = step.path ?? {}
    if (name !== 'Nothing') await prepare(ask.at ?? '', String(name), step)
    const answer = await driver.ask(ask)
    if (step.operation === 'impersonateUser' && ask.caller === undefined) session = credentialsIn(answer)
    // Other requests need the owner of the token.
    await giveBack(driver)
    await after(ask, answer)
  }

  return async (step) => {
    try {
      if ('operation' in step) await send(step)
      else if ('target' in step) await stray(driver, step)
      else if ('change' in step && step.change === 'users') await change(step.where.username, step.to)
    } catch (error) {
      if (!(error instanceof Absent)) throw error
    }
  }

  async function change(who: unknown, to: object): Promise<void> {
    if (!Object.keys(to).every((name) => lasting.includes(name)) || 'username' in to) return
    const { name } = await person(String(who))
    await driver.ask({ op: 'updateUser', at: name, body: to })
  }
}

/** A path that leads to no operation. */
async function stray(driver: Driver, { method, target, headers = {} }: Strayed): Promise<void> {
  if (method !== 'GET') return
  const isSlash = target.endsWith('/')
  const { authorization } = headers
  await driver.ask({
    ...{ op: isSlash ? 'listPlugins' : 'getAccountPage', suffix: isSlash ? '/' : `/${driver.word()}` },
    ...(authorization ? { caller: { authorization } } : {}),
  })
}
