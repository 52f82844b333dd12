/** The features of a request, which are the words in the conditions of learnt rules. */
import type { z } from 'zod'
import { userBody } from '../../conformance/contract/bodies.js'
import { operation as contractOf } from '../../conformance/contract/operations.js'
import { repeatsNames } from '../../conformance/contract/repeated.js'
import { isOffered } from '../operations/account.js'
import type { AdmittedCall } from '../request/call.js'
import { isObject, type Json, kind, unknownMembers, valueAt } from '../request/json.js'
import type { ReadHeaders } from '../request/message.js'
import { ownSetting } from '../request/translate.js'
import { levelNumbers } from '../state/levels.js'

const chosen: readonly string[] = ['type', 'language', 'timezone', 'custom_field.type', 'access_level']
type Add = (name: string) => void

/** Sorted; `subject:` is about the resource in the path, `caller:` about the caller; others begin with their member. */
export function featuresOf(c: AdmittedCall, content: { text: string; json: Json }): string[] {
  const found = new Set<string>(credentialFeatures(c.headers))
  const add: Add = (name) => void found.add(name)
  add(c.caller.access_level >= 90 ? 'caller:administrator' : 'caller:other')
  if (c.caller.protected) add('caller:protected')
  if (c.session.kind !== 'api') add('caller:impersonated')
  subject(c, add)
  for (const [name, value] of c.query) {
    add(`query:${name}`)
    add(value.trim() === '' ? `query:${name}:blank` : `query:${name}=${known(value)}`)
  }
  for (const name of ['x-select', 'x-sort-by', 'x-sort-order', 'x-mantis-username'])
    if (c.headers.get(name) !== null) add(`header:${name}`)
  const contract = contractOf(c.operation)
  if (!contract.body) {
    if (content.text !== '') add('body:unexpected')
    return [...found].sort()
  }
  const { json } = content
  // The feature of a wrong kind of body depends on the kind that is expected.
  const isOfList = c.operation === 'updateSettings'
  if (content.text === '') add('body:none')
  else if (!/json/i.test(c.headers.get('content-type') ?? '')) add('body:undeclared')
  if (/(?:\[\s*){101}/.test(content.text)) add('body:deep')
  if (isObject(json) && repeatsNames(content.text, json)) add('body:repeated')
  if (content.text !== '' && json === undefined) add('body:malformed')
  else if (content.text !== '') {
    const body = isOfList ? 'list-body' : 'body'
    add(`${body}:${kind(json)}`)
    if (!(isOfList ? Array.isArray(json) : isObject(json))) add(`${body}:of-another-kind`)
  }
  if (!isOfList && isObject(json) && Object.keys(json).length === 0) add('body:empty')
  const unknown = unknownMembers(contract.body, json)
  if (unknown.some((path) => path.includes('.'))) add('body:unknown-nested')
  if (unknown.some((path) => !path.includes('.'))) add('body:unknown-member')
  if (isObject(json) && unknown.length > 0 && Object.keys(json).every((name) => unknown.includes(name)))
    add('body:only-unknown')
  if (json !== undefined) undocumented(contract.body, json, add)
  if (isObject(json)) members(c, json, add)
  if (Array.isArray(json)) list(isOfList ? 'list-body' : 'body', json, add)
  if (isOfList && Array.isArray(json)) settings(c, json, add)
  return [...found].sort()
}

/** How the credentials are written, whatever their value is. */
export function credentialFeatures(headers: ReadHeaders): string[] {
  const given = headers.get('authorization')
  if (given === null) return ['authorization:none']
  const found = []
  if (given.includes(',')) found.push('authorization:list')
  if (!/\s/.test(given)) found.push('authorization:bare')
  else if (!/^bearer\s/i.test(given)) found.push('authorization:other-scheme')
  else if (!given.startsWith('Bearer ')) found.push('authorization:other-case')
  if (/\s\s/.test(given)) found.push('authorization:spaces')
  return found
}

function subject(c: AdmittedCall, add: Add): void {
  const { user_id, field_id, recipient_id, plugin_name } = c.path
  const { db, collation } = c.store
  const id = user_id ?? field_id ?? recipient_id
  if (id !== undefined) add(number(id))
  if (user_id !== undefined) {
    const user =
      (/^\d+$/.test(user_id) ? db.users.find('id', Number(user_id)) : undefined) ??
      db.users.find('username', collation.username(user_id))
    const folded = db.users.rows.find(({ username }) => username.toLowerCase() === user_id.toLowerCase())
    if (!user) add('subject:missing')
    if (user ? user.username !== user_id && String(user.id) !== user_id : folded) add('subject:other-case')
    if (user?.id === c.caller.id) add('subject:self')
    else if (user) add('subject:somebody-else')
    if (user && !user.enabled) add('subject:disabled')
    if (user?.protected) add('subject:protected')
    if (user && user.email === '') add('subject:no-email')
    if (user && user.access_level >= 90) add('subject:administrator')
    if (user_id === 'me') add('subject:me')
  }
  if (field_id !== undefined) {
    const field = db.customFields.find('id', Number(field_id))
    if (!field) add('subject:missing')
    if (field && db.customFieldLinks.find('field', field.id)) add('subject:linked')
  }
  if (recipient_id !== undefined && !db.recipients.find('id', Number(recipient_id))) add('subject:missing')
  if (plugin_name !== undefined) {
    const plugin = db.plugins.find('basename', plugin_name)
    if (!plugin) add('subject:missing')
    if (!plugin && db.plugins.find('folded', plugin_name.toLowerCase())) add('subject:other-case')
    if (plugin) add(plugin.installed ? 'subject:installed' : 'subject:not-installed')
    if (plugin?.protected) add('subject:protected')
    if (plugin?.forced) add('subject:forced')
  }
}

function number(text: string): string {
  if (/^0+$/.test(text)) return 'subject:zero'
  if (/^-\d+$/.test(text)) return 'subject:negative'
  return /^\d+$/.test(text) ? 'subject:number' : 'subject:text'
}

/** The types of wrong values and the types that are expected: trackers tend to treat them alike in all members. */
function undocumented(schema: z.ZodType, json: Json, add: Add): void {
  const { error } = schema.safeParse(json)
  if (!error) return
  add('body:not-as-documented')
  const [first] = error.issues
  if (first?.code === 'invalid_type') add(`body:wrong-${first.expected}`)
  for (const issue of error.issues) {
    const value = valueAt(json, issue.path)
    if (issue.code === 'invalid_type' && value !== undefined && issue.path.length > 0)
      add(`body:${kind(value)}-for-${issue.expected}`)
  }
}

const definition = ['custom_field', 'custom_field.name', 'custom_field.type']
const expected: Readonly<Record<string, readonly string[]>> = {
  createUser: ['username', 'email', 'password', 'access_level'],
  changeOwnPassword: ['password', 'password_current'],
  updateUserSettings: ['configs'],
  addUserToProjects: ['project_ids', 'access_level'],
  createCustomField: [...definition, 'custom_field.possible_values'],
  updateCustomField: definition,
  updatePlugin: ['priority', 'protected'],
  manageColumns: ['project', 'type', 'columns'],
}

function members(c: AdmittedCall, body: Record<string, Json>, add: Add): void {
  const flat: Record<string, Json> = { ...body }
  if (isObject(body.custom_field))
    for (const [name, value] of Object.entries(body.custom_field)) flat[`custom_field.${name}`] = value
  for (const name of expected[c.operation] ?? []) if (flat[name] === undefined) add(`${name}:missing`)
  for (const [name, value] of Object.entries(flat)) {
    if (['createUser', 'updateUser'].includes(c.operation) && !Object.hasOwn(userBody.shape, name)) continue
    add(`${name}:given`)
    if (Array.isArray(value)) list(name, value, add)
    else add(`${name}:${kind(value)}`)
    if (typeof value === 'string') text(name, value, add)
    if (typeof value === 'string' && chosen.includes(name) && value.length < 24) add(`${name}=${value}`)
    if (typeof value === 'boolean') add(`${name}:${value}`)
    if (typeof value === 'number') add(`${name}:${size(value)}`)
  }
  if (c.operation === 'updatePlugin' && Number.isSafeInteger(flat.priority)) {
    const { min, max } = c.decisions['plugin-priority-range']
    if (Number(flat.priority) < min || Number(flat.priority) > max) add('priority:outside')
  }
  storedValues(c, flat, add)
}

const size = (value: number): string =>
  !Number.isSafeInteger(value) ? 'no-integer' : value < 0 ? 'negative' : value > 100 ? 'above-100' : 'small'

function storedValues(c: AdmittedCall, flat: Record<string, Json>, add: Add): void {
  const { db, collation } = c.store
  const { username, email, access_level, password } = flat
  if (typeof username === 'string') {
    const holder = db.users.rows.find((user) => user.username.toLowerCase() === username.trim().toLowerCase())
    const isSubject = [holder?.username, String(holder?.id)].includes(c.path.user_id)
    if (holder && !isSubject) add('username:taken')
    const isTaken = db.users.find('username', collation.username(username.trim()))
    if (holder && holder.username !== username.trim() && !isTaken) add('username:other-case')
    if (db.users.rows.some((user) => user.realname === username)) add('username:real-name')
    if (password === username) add('password:username')
  }
  if (typeof email === 'string') {
    const holders = db.users.rows.filter((user) => user.email.toLowerCase() === email.toLowerCase())
    if (holders.some((user) => user.username !== c.path.user_id)) add('email:taken')
    const [, domain = ''] = email.split('@')
    add(!email.includes('@') ? 'email:no-at' : domain.includes('.') ? 'email:dotted' : 'email:undotted')
    if (/mailinator|guerrilla|trashmail|10minute/i.test(domain)) add('email:disposable')
  }
  if (typeof access_level === 'number') {
    if (access_level > c.caller.access_level) add('access_level:above-own')
    if (!levelNumbers.includes(access_level)) add('access_level:unusual')
  }
  if (password !== undefined && flat.password_current === undefined) add('password_current:missing')
  if (password !== undefined && password === flat.password_current) add('password:same')
  if (typeof flat.password_current === 'string')
    add(flat.password_current === c.caller.password ? 'password_current:right' : 'password_current:wrong')
  const name = flat['custom_field.name']
  if (typeof name === 'string') {
    const folded = name.trim().toLowerCase()
    const holder = db.customFields.rows.find((field) => field.name.toLowerCase() === folded)
    if (holder && String(holder.id) !== c.path.field_id)
      add(holder.name === name.trim() ? 'custom_field.name:taken' : 'custom_field.name:other-case')
  }
  if (db.customFields.find('id', Number(c.path.field_id)) && typeof flat['custom_field.type'] === 'string')
    add('custom_field.type:with-update')
  const values = flat['custom_field.possible_values']
  const preset = flat['custom_field.default_value']
  if (typeof preset === 'string' && typeof values === 'string' && !values.split('|').includes(preset))
    add('custom_field.default_value:not-among')
  for (const key of ['project_ids', 'projects'])
    if (Array.isArray(flat[key])) for (const id of flat[key]) add(`${key}:${project(c, String(id))}`)
  if (isObject(flat.project)) add(`project.id:${kind(flat.project.id)}`)
  const reference = isObject(flat.project) ? flat.project.id : flat.project
  if (reference !== undefined) add(`project:${project(c, String(reference))}`)
  if (Array.isArray(flat.configs)) {
    const options = flat.configs.map((item) => (isObject(item) ? item.option : undefined))
    if (new Set(options).size < options.length) add('configs:repeated')
    for (const item of flat.configs) {
      add(`configs.item:${isObject(item) ? Object.keys(item).sort().join('+') : kind(item)}`)
      if (!isObject(item)) continue
      if (typeof item.option === 'string')
        add(`configs.option:${isOffered(c, item.option) ? 'known' : 'unknown'}`)
      add(`configs.value:${kind(item.value)}`)
      if (typeof item.value === 'string') text('configs.value', item.value, add)
    }
  }
}

function project(c: AdmittedCall, given: string): string {
  // The ids of a live tracker are mapped to those of the emulator.
  const own = c.decisions['accepted-values'].project?.indexOf(given) ?? -1
  const text = own < 0 ? given : String(own + 1)
  if (text === '0') return 'zero'
  if (!/^\d+$/.test(text)) return 'no-number'
  const found = c.store.db.projects.find('id', Number(text))
  if (!found) return 'unknown'
  const at = c.path.user_id ?? ''
  const user = c.store.db.users.rows.find(({ id, username }) => [String(id), username].includes(at))
  return user && c.store.db.memberships.find('pair', `${user.id}/${found.id}`) ? 'joined' : 'known'
}

function settings(c: AdmittedCall, items: readonly Json[], add: Add): void {
  const accepted = c.decisions['accepted-values']
  const objects = items.filter(isObject).map((item) => ownSetting(item, accepted))
  for (const item of objects) {
    const keys = Object.keys(item).sort().join('+')
    add(/^(?!(option|name|key|value)$)[^+]+$/.test(keys) ? 'item:pair' : `item:${keys}`)
    const setting = c.store.db.extensionSettings.find('option', optionOf(item))
    add(setting ? 'item:known' : 'item:unknown')
    if ('value' in item) add(`item.value:${kind(item.value)}`)
    if (setting && 'value' in item && kind(item.value) !== kind(setting.default)) add('item.value:other-type')
  }
  if (new Set(objects.map(optionOf)).size < objects.length) add('item:repeated')
}

/** Limits the values of options to a few words, so that a rule about one applies to others, too. */
const known = (value: string) => (/^[a-z_]{1,20}$/i.test(value) ? value.toLowerCase() : 'other')

/** Limits that trackers are known to have for the length of texts. */
const LENGTHS = [
  3, 8, 16, 20, 24, 30, 32, 40, 48, 50, 60, 64, 72, 80, 100, 120, 128, 150, 160, 191, 200, 250, 255, 500,
  1000, 1024, 2000, 65_535,
]

/** What a text has. */
const signs = {
  ...{ comma: /,/, at: /@/, tag: /[<>]/, space: /\S\s+\S/, signs: /[^\w.@+-]/, 'not-ascii': /[^\x20-\x7e]/ },
  ...{ 'digit-first': /^\d/, digits: /^\d+$/ },
}

const isUpperCase = (text: string) => /[A-Z]/.test(text) && !/[a-z]/.test(text)

function text(name: string, value: string, add: Add): void {
  if (value.trim() === '') add(value === '' ? `${name}:empty` : `${name}:blank`)
  else if (value !== value.trim()) add(`${name}:untrimmed`)
  for (const length of LENGTHS) if (value.length > length) add(`${name}:longer-than-${length}`)
  for (const [sign, form] of Object.entries(signs)) if (form.test(value)) add(`${name}:${sign}`)
  if (isUpperCase(value)) add(`${name}:upper-case`)
  if (!/password/.test(name)) return
  for (const length of [4, 6, 8, 10, 12])
    add(`${name}:${value.length < length ? 'shorter-than' : 'at-least'}-${length}`)
  if (!/\d/.test(value)) add(`${name}:no-digit`)
  if (!/[A-Z]/.test(value)) add(`${name}:no-capital`)
  if (!/[^\w]/.test(value)) add(`${name}:no-sign`)
}

function list(name: string, items: readonly unknown[], add: Add): void {
  add(`${name}:list`)
  if (items.length === 0) add(`${name}:empty`)
  for (const item of items) add(`${name}.item:${kind(item)}`)
  const texts = items.filter((item): item is string => typeof item === 'string')
  if (texts.some(isUpperCase)) add(`${name}.item:upper-case`)
  if (new Set(texts).size < texts.length) add(`${name}:repeated`)
  else if (new Set(texts.map((item) => item.toLowerCase())).size < texts.length)
    add(`${name}:repeated-other-case`)
}

/** The name of the option in an item of a list of settings, in any form; empty if there is none. */
export function optionOf(item: Record<string, unknown>): string {
  const option = item.option ?? item.name ?? item.key ?? Object.keys(item).sort()[0]
  return option === undefined ? '' : String(option)
}
