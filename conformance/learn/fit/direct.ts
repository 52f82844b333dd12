/** What the target's answers show without trying values: limits, sessions and accepted words. */
import type { OperationId } from '../../contract/index.js'
import { wordListsIn } from '../../drive/reads.js'
import { isObject, type JsonObject } from '../../oracle/json.js'
import { membersOf } from '../../oracle/request.js'
import { settingMembersIn } from '../copy/settings.js'
import { isFamilyLevel } from '../copy/state.js'
import { type Recorded, sessionIn } from '../trace/recorded.js'

/** Calls of an operation that the target has carried out. */
const doneIn = (calls: readonly Recorded[], operation: OperationId) =>
  calls.filter((call) => call.operation === operation && call.seen.status === 200)

/** The values with which the fitting starts. Calls of a session depend on whether an impersonation returns a token. */
export function givenBy(calls: readonly Recorded[]): Record<string, unknown> {
  const isToken = ({ seen }: Recorded) => !seen.headers['set-cookie'] && sessionIn(seen).token !== undefined
  return doneIn(calls, 'impersonateUser').some(isToken) ? { 'impersonate-effect': 'token' } : {}
}

/** Limits that the target's answers show, as further values of the decisions that accept any number. */
export function numbersOf(calls: readonly Recorded[]): Record<string, readonly unknown[]> {
  const names = doneIn(calls, 'createCustomField').map((call) => definitionIn(membersOf(call)).name)
  const longest = Math.max(1, ...names.map((name) => String(name ?? '').length))
  const more: Record<string, readonly unknown[]> = { 'cf-name-length': [longest] }
  const priorities = doneIn(calls, 'updatePlugin')
    .map((call) => membersOf(call).priority)
    .filter((one) => typeof one === 'number')
  const max = Math.max(...priorities)
  if (priorities.length > 0)
    more['plugin-priority-range'] = [...new Set([1, Math.min(...priorities)])].map((min) => ({ min, max }))
  for (const area of ['create', 'impersonate', 'ext-settings', 'plugin', 'recipient'])
    more[`${area}-permission`] = [55, 40, 25, 10]
  return more
}

const definitionIn = ({ custom_field: part }: JsonObject): JsonObject => (isObject(part) ? part : {})

/** Types of column lists that the emulator has as well. */
const familyLists = ['view', 'print', 'csv', 'excel']

/** Words of the document's open vocabularies that the target accepts, as far as its answers show. */
export function wordsOf(calls: readonly Recorded[], projects: readonly string[]): Record<string, unknown> {
  const texts = (operation: OperationId, valuesIn: (body: JsonObject) => unknown) => [
    ...new Set(doneIn(calls, operation).flatMap((call) => valuesIn(membersOf(call)) ?? [])),
  ]
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  // A level of the family as digits is accepted in any case.
  const isName = (value: unknown) => isText(value) && !isFamilyLevel(Number(value))
  const options = new Map<string, unknown>()
  for (const call of doneIn(calls, 'updateUserSettings')) {
    const { configs } = membersOf(call)
    for (const one of Array.isArray(configs) ? configs : [])
      if (isObject(one) && isText(one.option) && isText(one.value)) options.set(String(one.option), one.value)
  }
  const settingMembers = settingMembersIn(doneIn(calls, 'updateSettings').map(({ body }) => body))
  const columnTypes = texts('manageColumns', ({ type }) => type).filter(isText)
  const levels = (['createUser', 'updateUser'] as const).flatMap((operation) =>
    texts(operation, ({ access_level: level }) => level),
  )
  const found: Record<string, readonly unknown[]> = {
    customFieldType: texts('createCustomField', (body) => definitionIn(body).type).filter(isText),
    projectLevel: texts('addUserToProjects', ({ access_level: level }) => level).filter(isName),
    accessLevel: [...new Set(levels)].filter((level) => typeof level === 'number'),
    // Ids that are not numbers have no counterpart in the emulator.
    project: projects.some((id) => !/^[1-9]\d*$/.test(id)) ? projects : [],
    column: texts('manageColumns', ({ columns }) => columns).filter(isText),
    // A target that accepts any type has no list of types.
    columnType:
      columnTypes.includes('none-such') || columnTypes.every((type) => familyLists.includes(String(type)))
        ? []
        : columnTypes,
  }
  return {
    ...Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0)),
    ...(options.size > 0 ? { userSetting: Object.fromEntries(options) } : {}),
    ...(settingMembers ? { settingMembers } : {}),
  }
}

/** For each vocabulary, the list on a page that contains all accepted words: it is probably the whole vocabulary. */
export function offeredIn(calls: readonly Recorded[], words: Record<string, unknown>) {
  const lists = calls
    .filter(({ operation, seen }) => operation.endsWith('Page') && seen.status === 200)
    .flatMap(({ seen }) => wordListsIn(seen.json))
  return Object.fromEntries(
    ['customFieldType', 'accessLevel', 'projectLevel'].flatMap((name) => {
      const taken = words[name]
      const offered = Array.isArray(taken) && lists.find((list) => taken.every((one) => list.includes(one)))
      return offered ? [[name, offered]] : []
    }),
  )
}

/** Further values of `accepted-values`: each adds or removes the words of one vocabulary. */
export function otherWords(words: Record<string, unknown>, present: unknown): unknown[] {
  const now = isObject(present) ? present : {}
  return Object.keys({ ...words, ...now }).map((key) => {
    const { [key]: own, ...others } = now
    return own === undefined ? { ...now, [key]: words[key] } : others
  })
}
