/**
 * The probes of the ledger, asked of a target: people, fields and projects of the run's own stand in for those of the
 * default starting state, and who is to ask is somebody whom the administrator stands in for. What a target cannot be
 * asked without touching what is not the run's own has no scenario here.
 */

import { isObject } from '../../../client/look.js'
import { decisionWords, type Probe, type Step } from '../../../contract/decisions/index.js'
import type { OperationId } from '../../../contract/index.js'
import type { Request, Scenario, Script } from '../script.js'
import { type StandIn, standIn } from './acting.js'

type Asked = Extract<Step, { operation: OperationId }>

/** Of those in the default starting state, by the name that probes have for them. */
const people: Readonly<Record<string, { readonly body: object; readonly isProtected?: true }>> = {
  nina: { body: {} },
  silent: { body: { email: '' } },
  former: { body: { enabled: false } },
  kiosk: { body: {}, isProtected: true },
  protected: { body: {}, isProtected: true },
  viewer: { body: { access_level: 10 } },
  reporter: { body: { access_level: 25 } },
  developer: { body: { access_level: 55 } },
  manager: { body: { access_level: 70 } },
  'second.admin': { body: { access_level: 90 } },
}

/** What they change can be made by the run itself. */
const harmless: readonly OperationId[] = [
  'getUser',
  'getUserEditPage',
  'createUser',
  'updateUser',
  'addUserToProjects',
  'createCustomField',
  'updateCustomField',
  'deleteCustomField',
]

/** No target has so many projects. */
const UNKNOWN = '987654'

/** There is nothing on this target to ask it of. */
class Untold extends Error {}

export const idOfProbe = (decision: string) => `probe-of-${decision}`

export const ledger: readonly Scenario[] = Object.entries(decisionWords).flatMap(([id, words]) =>
  'probe' in words ? scenarioOf(idOfProbe(id), words.probe) : [],
)

function scenarioOf(id: string, { steps }: Probe): Scenario[] {
  const asked = steps.filter((step): step is Asked => 'operation' in step)
  // A record that is made otherwise from inside, or a request of no operation, is nothing that a run may ask for.
  if (asked.length === 0 || steps.some((step) => 'change' in step || 'target' in step)) return []
  const isHarmless = asked.every(({ operation, as }) => as === undefined && harmless.includes(operation))
  return [
    {
      id,
      safety: isHarmless ? 'write' : 'destructive',
      rare: true,
      async run(s) {
        const cast = castOf(s)
        try {
          for (const step of asked) await s.send(step.operation, await cast.request(step))
          if (asked.some(({ operation }) => operation === 'manageColumns'))
            await s.send('manageColumns', { body: s.profile.columns, keep: true })
        } catch (error) {
          if (!(error instanceof Untold)) throw error
        }
        await cast.leave()
      },
    },
  ]
}

function castOf(s: Script) {
  const { profile, names } = s
  const made = new Map<string, Promise<string>>()
  const domain = profile.emailDomain ?? 'example.org'
  const standing = new Map<string, StandIn | null>()

  function person(name: string): Promise<string> {
    const known = made.get(name) ?? making(name)
    made.set(name, known)
    return known
  }

  async function making(name: string): Promise<string> {
    const { body, isProtected } = people[name] ?? untold()
    const username = await s.user(body)
    if (isProtected) await s.send('updateUser', { path: { user_id: username }, body: { protected: true } })
    return username
  }

  /** What is added to a request so that it is theirs. */
  async function asked({ as, path }: Asked): Promise<Request> {
    if (as === undefined || as === 'administrator') return {}
    if (as === null) return { authorization: null }
    if (as === 'restricted' || as === 'password' || as === 'disabled')
      return profile.tokens[as] ? { as } : untold()
    const isSelf = path?.user_id === as
    if ((as === 'reporter' || as === 'viewer') && !isSelf && profile.tokens.restricted)
      return { as: 'restricted' }
    const stand = standing.has(as) ? standing.get(as) : await standIn(s, await person(as))
    standing.set(as, stand ?? null)
    return stand?.way ?? untold()
  }

  async function inPath(operation: OperationId, name: string, value: string | number): Promise<string> {
    if (name === 'user_id') {
      if (value === 'nobody') return s.name()
      if (value === 'NINA') return (await person('nina')).toUpperCase()
      // Nothing of it is changed, whatever the tracker allows.
      if (value === 'administrator')
        return operation === 'impersonateUser' ? (names.administrator ?? untold()) : untold()
      return value === 0 || value === 'me' ? String(value) : person(String(value))
    }
    if (name === 'field_id')
      return typeof value === 'string' ? value : s.field({}, profile.projects?.slice(0, 1))
    if (value === 'Nothing') return s.name()
    return value === 'x' ? value : value === 99 ? project(value) : untold()
  }

  function project(value: unknown): string {
    const number = Number(value)
    if (Number.isNaN(number)) return String(value)
    // Of the default starting state there are four.
    return number > 4 ? `${UNKNOWN}${number}` : (profile.projects?.[number - 1] ?? untold())
  }

  const projects = (list: readonly unknown[]) =>
    list.map((one) => (typeof one === 'number' ? Number(project(one)) : project(one)))

  /** Unlike all that is there, with the blanks, the signs and the length of what the probe has. */
  function text(value: unknown): unknown {
    if (typeof value !== 'string' || value === '') return value
    const own = value.replace(/\S+/, (word) => s.name() + word)
    return value.length < 40 ? own : own.slice(0, value.length)
  }

  async function userFields(body: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const given: Record<string, unknown> = { ...body }
    if (body.username === 'nina') given.username = await person('nina')
    else if (body.username === 'Nina Neumann') given.username = `Kit ${await person('nina')}`
    else if ('username' in body) given.username = text(body.username)
    if (body.email === 'Nina@Example.org') given.email = `${(await person('nina')).toUpperCase()}@${domain}`
    else if (/^\w+@/.test(String(body.email)))
      given.email = String(body.email).replace(/^\w+/, s.name()).replace('example.org', domain)
    if ('realname' in body) given.realname = text(body.realname)
    if ('password' in body && body.password !== '') given.password = `${s.password}${s.name()}`
    return given
  }

  function fieldFields(body: Readonly<Record<string, unknown>>): unknown {
    const { custom_field: given, projects: linked } = body
    if (!isObject(given)) return body
    const own = 'name' in given ? { ...given, name: text(given.name) } : given
    return { ...body, custom_field: own, ...(Array.isArray(linked) && { projects: projects(linked) }) }
  }

  async function inBody(operation: OperationId, body: unknown): Promise<unknown> {
    if (!isObject(body)) return Array.isArray(body) && body.length > 0 ? untold() : body
    switch (operation) {
      case 'createUser': {
        const { username, email, realname, ...rest } = s.userBody()
        return { ...rest, ...(await userFields(body)) }
      }
      case 'updateUser':
        return userFields(body)
      case 'createCustomField':
      case 'updateCustomField':
        return fieldFields(body)
      case 'addUserToProjects': {
        const { project_ids, access_level, ...rest } = body
        const level = access_level === 'reporter' ? profile.projectAccessLevel : undefined
        return {
          ...rest,
          ...(Array.isArray(project_ids) && { project_ids: projects(project_ids) }),
          ...(access_level !== undefined && { access_level: level ?? access_level }),
        }
      }
      case 'manageColumns': {
        const { columns = [] } = profile.columns ?? untold()
        const own = (name: unknown) => (name === 'id' ? (columns[0] ?? untold()) : name)
        return {
          ...body,
          ...(typeof body.project === 'string' && { project: project(body.project) }),
          ...(Array.isArray(body.columns) && { columns: body.columns.map(own) }),
        }
      }
      case 'changeOwnPassword':
        return { password_current: s.password, password: `${s.password}${s.name()}` }
      case 'updateUserSettings':
        return { configs: [profile.userSetting ?? untold()] }
      default:
        return Object.keys(body).length === 0 ? body : untold()
    }
  }

  return {
    async leave(): Promise<void> {
      for (const stand of standing.values()) await stand?.leave()
    },
    async request(step: Asked): Promise<Request> {
      const { operation, as, path = {}, query, body, raw, headers } = step
      // Those of the profile's account are for its own scenarios, which put back what they change.
      if (operation === 'changeOwnPassword' && as === 'password') untold()
      const way = await asked(step)
      const places = await Promise.all(
        Object.entries(path).map(
          async ([name, value]) => [name, await inPath(operation, name, value)] as const,
        ),
      )
      const own = Object.entries(headers ?? {}).map(([name, value]): readonly [string, string | null] => [
        name,
        value?.replace(/\{(\w+)\}/, (_, whose) =>
          whose === 'impersonated' ? '{{session}}' : `{{token.${whose}}}`,
        ) ?? null,
      ])
      const { authorization, ...rest } = Object.fromEntries(own)
      if (rest['x-mantis-username'] === 'nina') rest['x-mantis-username'] = await person('nina')
      const name = String(Object.fromEntries(places).user_id)
      return {
        ...(places.length > 0 && { path: Object.fromEntries(places) }),
        ...(query !== undefined && { query: query.replace(/^\?/, '') }),
        ...(raw !== undefined && { rawBody: raw }),
        ...(body !== undefined && { body: await inBody(operation, body) }),
        ...way,
        ...(authorization !== undefined && { authorization }),
        ...((own.length > 0 || way.headers) && { headers: { ...way.headers, ...rest } }),
        ...(operation === 'impersonateUser' && {
          bind: { name: 'session', kind: 'session', of: name } as const,
        }),
      }
    },
  }
}

function untold(): never {
  throw new Untold()
}
