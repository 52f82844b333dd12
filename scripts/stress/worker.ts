/** One client of the soak: what it may do, and what must have become of it. */
import type { OperationId, Profile } from '../../conformance/contract/index.js'
import type { State } from '../../emulator/index.js'
import type { Asked, Told } from './client.js'

export interface WorkerOptions {
  readonly index: number
  readonly profile: Profile
  readonly random: () => number
  ask(id: OperationId, asked?: Asked): Promise<Told>
  trouble(text: string): void
}

export interface Worker {
  /** One or a few requests. */
  step(): Promise<void>
  /** How many helpdesk recipients it deleted. */
  readonly recipients: number
  /** Tells where the state is not what the worker wrote. Nobody may be at work. */
  compare(state: State): void
}

interface OwnUser {
  realname: string
  email: string
  enabled: boolean
  avatar: string | null
  language: string
  readonly projects: Map<string, number>
}

/** No worker has more, so that the state stays as large as it is after a while. */
const USERS = 15
const FIELDS = 6
const LEVELS = { viewer: 10, reporter: 25, developer: 55 } as const
const LANGUAGES = ['english', 'german', 'french'] as const

export function createWorker({ index, profile, random, ask, trouble }: WorkerOptions): Worker {
  const users = new Map<string, OwnUser>()
  const fields = new Map<number, { name: string; possible_values: string; projects: readonly string[] }>()
  /** Of an account that all share, each worker has one project; of settings and plugins, one worker has each. */
  const owned: Record<string, string | number | boolean> = {}
  let recipients = 0
  let step = 0
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
  const unique = () => `${index}-${step}`
  const projects = profile.projects ?? []
  const { password: passwordToken = '', administrator } = profile.tokens
  const account = { ...(profile.passwordAccount ?? { current: '', next: '' }) }

  /** The answer, which must have the status; null where it has another one. */
  async function expect200(id: OperationId, options: Asked = {}): Promise<Told | null> {
    const told = await ask(id, options)
    if (told.status === 200) return told
    trouble(`${id}: ${told.status} ${JSON.stringify(told.json).slice(0, 200)}`)
    return null
  }

  const someone = () => pick([...users.keys()])
  const path = (user_id: string) => ({ path: { user_id } })

  async function createUser() {
    if (users.size >= USERS) return
    const name = `u${unique()}`
    const email = `${name}@example.org`
    const language = pick(LANGUAGES)
    const own = { realname: `R ${unique()}`, email, enabled: true, avatar: null, language }
    const { realname } = own
    const body = { username: name, email, realname, language }
    if (await expect200('createUser', { body })) users.set(name, { ...own, projects: new Map() })
  }

  const actions: readonly (() => Promise<void>)[] = [
    ...(['getAccountPage', 'getTokensPage', 'getUserSettingsPage', 'getUserCreatePage'] as const).map(
      (id) => async () => void (await expect200(id)),
    ),
    ...(['listCustomFields', 'getCustomFieldCreatePage', 'listPlugins'] as const).map(
      (id) => async () => void (await expect200(id)),
    ),
    createUser,
    async function readUser() {
      const name = someone()
      const told = await expect200('getUser', path(name))
      const read = told?.json.users[0]
      if (read && read.real_name !== users.get(name)?.realname) trouble(`getUser: ${read.real_name} is old`)
    },
    async function updateUser() {
      const name = someone()
      const own = users.get(name) as OwnUser
      const change = pick([
        { realname: `S ${unique()}` },
        { email: `${unique()}-${name}@example.org` },
        { enabled: !own.enabled },
        { avatar: unique() },
        { language: pick(LANGUAGES) },
      ])
      if (await expect200('updateUser', { ...path(name), body: change })) Object.assign(own, change)
    },
    async function impersonateUser() {
      const name = someone()
      if (!users.get(name)?.enabled) return
      const told = await expect200('impersonateUser', path(name))
      const cookie = String(told?.headers['set-cookie'] ?? '').split(';')[0] ?? ''
      const page = await expect200('getAccountPage', { cookie })
      if (page && page.json.user.name !== name) trouble(`the session of ${name} is ${page.json.user.name}'s`)
    },
    async function editPage() {
      await expect200('getUserEditPage', path(someone()))
    },
    async function addUserToProjects() {
      const name = someone()
      const own = users.get(name)?.projects as Map<string, number>
      const project = pick(projects)
      const level = pick(Object.keys(LEVELS) as (keyof typeof LEVELS)[])
      if (own.has(project)) return
      const body = { project_ids: [project], access_level: level }
      if (await expect200('addUserToProjects', { ...path(name), body })) own.set(project, LEVELS[level])
    },
    async function resetUser() {
      const name = someone()
      if (users.get(name)?.enabled) await expect200('resetUser', path(name))
    },
    async function createCustomField() {
      if (fields.size >= FIELDS) return
      const linked = projects.slice(0, Math.floor(random() * (projects.length + 1)))
      const definition = { name: `f${unique()}`, possible_values: unique() }
      const told = await expect200('createCustomField', {
        body: { custom_field: definition, projects: linked },
      })
      if (told) fields.set(told.json.custom_field.id, { ...definition, projects: linked })
    },
    async function updateCustomField() {
      const id = pick([...fields.keys()])
      const own = fields.get(id)
      if (!own) return
      const possible_values = unique()
      const body = { custom_field: { name: own.name, possible_values } }
      if (await expect200('updateCustomField', { path: { field_id: id }, body }))
        own.possible_values = possible_values
    },
    async function fieldPage() {
      const id = pick([...fields.keys()])
      if (id !== undefined) await expect200('getCustomFieldUpdatePage', { path: { field_id: id } })
    },
    async function deleteCustomField() {
      const id = [...fields].find(([, own]) => own.projects.length === 0)?.[0]
      if (id === undefined || random() < 0.5) return
      if (await expect200('deleteCustomField', { path: { field_id: id } })) fields.delete(id)
    },
    async function deleteRecipient() {
      if (random() > 0.1) return
      const recipient_id = pick(profile.recipients ?? [])
      const { status } = await ask('deleteHelpdeskRecipient', { path: { recipient_id } })
      if (status === 200) recipients += 1
      else if (status !== 404) trouble(`deleteHelpdeskRecipient: ${status}`)
    },
  ]

  /** Things of which there is one: each worker has one of them to itself. */
  const shared: readonly (() => Promise<void>)[] = [
    async function changeOwnPassword() {
      const { current, next } = account
      const body = { password_current: current, password: next }
      if (!(await expect200('changeOwnPassword', { token: passwordToken, body }))) return
      Object.assign(account, { current: next, next: current })
      owned.password = next
    },
    async function updateUserSettings() {
      const value = String(1 + (step % 50))
      const body = { configs: [{ option: 'redirect_delay', value }] }
      if (await expect200('updateUserSettings', { token: administrator, body })) owned.redirect_delay = value
    },
    async function updatePlugin() {
      const { name = '', priority } = profile.plugin ?? {}
      const options = { path: { plugin_name: name } }
      if (!(await expect200('installPlugin', options))) return
      const value = (priority?.min ?? 1) + (step % 3)
      await expect200('updatePlugin', { ...options, body: { priority: value } })
      if (await expect200('uninstallPlugin', options)) owned.installed = false
    },
    async function updateSettings() {
      const [element] = (profile.settings ?? []) as Record<string, unknown>[]
      const [key = '', value] = Object.entries(element ?? {}).find(([, one]) => typeof one === 'number') ?? []
      const body = [{ ...element, [key]: Number(value) + (step % 2) }]
      if (await expect200('updateSettings', { body })) owned.setting = Number(value) + (step % 2)
    },
    async function manageColumns() {
      const columns = [...(profile.columns?.columns ?? [])]
      if (step % 2) columns.reverse()
      const body = { ...profile.columns, columns }
      if (await expect200('manageColumns', { body })) owned.columns = columns.join()
    },
    async function updateSharedUser() {
      const realname = `Shared ${step}`
      if (await expect200('updateUser', { ...path('viewer'), body: { realname } })) owned.realname = realname
    },
    async function updateItsAvatar() {
      const avatar = `Shared ${step}`
      if (await expect200('updateUser', { ...path('viewer'), body: { avatar } })) owned.avatar = avatar
    },
  ]

  return {
    async step() {
      step += 1
      if (users.size === 0) return createUser()
      const own = shared[index]
      await (own && random() < 0.3 ? own() : pick(actions)())
    },
    get recipients() {
      return recipients
    },
    compare(state) {
      const same = (what: string, wanted: unknown, found: unknown) => {
        if (JSON.stringify(wanted) !== JSON.stringify(found))
          trouble(`lost: ${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
      }
      const mine = state.users.filter(({ username }) => username.startsWith(`u${index}-`))
      same('the set of users', [...users.keys()].sort(), mine.map(({ username }) => username).sort())
      for (const { id, username, ...user } of mine) {
        const own = users.get(username)
        if (!own) continue
        for (const key of ['realname', 'email', 'enabled', 'avatar'] as const)
          same(`${username}.${key}`, own[key], user[key])
        const setting = state.userSettings.find((row) => row.user_id === id && row.option === 'language')
        same(`${username}.language`, own.language, setting?.value)
        const links = state.memberships.filter(({ user_id }) => user_id === id)
        const levels = links.map(({ project_id, access_level }) => [String(project_id), access_level])
        same(`${username}.projects`, [...own.projects].sort(), levels.sort())
      }
      const definitions = state.customFields.filter(({ name }) => name.startsWith(`f${index}-`))
      same('the set of fields', [...fields.keys()].sort(), definitions.map(({ id }) => id).sort())
      for (const { id, name, possible_values } of definitions) {
        const links = state.customFieldLinks.filter(({ field_id }) => field_id === id)
        const found = { name, possible_values, projects: links.map(({ project_id }) => String(project_id)) }
        same(`field ${id}`, fields.get(id), found)
      }
      const viewer = state.users.find(({ username }) => username === 'viewer')
      const held: Record<string, unknown> = {
        password: state.users.find(({ username }) => username === 'password')?.password,
        redirect_delay: state.userSettings.find(
          ({ option, value }) => option === 'redirect_delay' && value === owned.redirect_delay,
        )?.value,
        installed: state.plugins.find(({ basename }) => basename === profile.plugin?.name)?.installed,
        setting: state.extensionSettings.find(({ value }) => value === owned.setting)?.value,
        columns: state.columnConfigurations
          .find(({ columns }) => columns.join() === owned.columns)
          ?.columns.join(),
        realname: viewer?.realname,
        avatar: viewer?.avatar,
      }
      for (const [key, value] of Object.entries(owned)) same(key, value, held[key])
    },
  }
}
