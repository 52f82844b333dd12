/** The fields of a profile, for `init`: how each is asked for, where pages show values for it, and how it is tested. */
import { isObject, objects } from '../client/look.js'
import { type OperationId, type Profile, type Safety, safetyLevels, safetyMeans } from '../contract/index.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { operationsNeeding } from '../drive/needs.js'
import { fieldOf, leaveOut } from '../drive/trials.js'
import { assign, type Draft } from './init-set.js'
import {
  MissingForm,
  type Test,
  type Tester,
  testAdministrator,
  testBaseUrl,
  testDisabled,
  testOther,
  testUser,
  textAt,
  WrongTarget,
  withClient,
} from './init-target.js'

/** How questions are asked. An omitted answer is the empty text. */
export interface Prompts {
  text(question: string, initial?: string): Promise<string>
  /** Like `text`, but hides what is typed. */
  secret(question: string): Promise<string>
  choose(
    question: string,
    choices: readonly { value: string; hint: string }[],
    initial: string,
  ): Promise<string>
  seen(line: string): void
  wrong(error: Error): void
}

/** For a run without a terminal: fields without a flag stay absent, and a wrong value ends the run. */
export const noPrompts = (seen: (line: string) => void): Prompts => ({
  text: async () => '',
  secret: async () => '',
  choose: async (_question, _choices, initial) => initial,
  seen,
  wrong(error) {
    throw error
  },
})

/** The user pressed Ctrl-C at a question. */
export class Cancelled extends Error {}

/** The path, the lowest level whose checks use the field, and the question. */
type Question = readonly [path: string, safety: Safety, question: string]

const place: Question = ['baseUrl', 'read', 'Base URL, the REST root of the tracker']
const questions: readonly Question[] = [
  place,
  ['tokens.administrator', 'read', "The administrator's token"],
  ['safety', 'read', 'The most that a run may do'],
  ['tokens.restricted', 'read', 'Token of an enabled user without any administrative permission'],
  ['user', 'read', 'Id or username of an enabled ordinary user who owns none of the tokens'],
  ['projects', 'read', 'Ids of existing projects, with commas between them'],
  ['projectAccessLevel', 'read', 'Access level that a user may get in these projects'],
  ['accessLevel', 'write', 'Access level (integer) that a new user may get'],
  ['emailDomain', 'write', 'Domain of e-mail addresses for new users, if not example.org'],
  ['password.valid', 'write', 'A password that the tracker accepts'],
  ['password.invalid', 'write', 'A password that its rules refuse'],
  ['customField.type', 'write', 'A type of custom field that the tracker accepts'],
  ['customField.nameLimit', 'write', 'Longest name of a custom field, in characters'],
  ['customField.ids', 'write', 'Ids of custom fields that a run may change and delete'],
  ['plugin.name', 'destructive', 'A plugin that is available and not installed'],
  ['plugin.priority.min', 'destructive', 'Lowest priority of a plugin'],
  ['plugin.priority.max', 'destructive', 'Highest priority of a plugin'],
  ['recipients', 'destructive', 'Ids of helpdesk recipients that a run may delete'],
  ['tokens.password', 'destructive', 'Token of an account kept only to have its password changed'],
  ['passwordAccount.current', 'destructive', "That account's password"],
  ['passwordAccount.next', 'destructive', 'Another password for that account'],
  ['userSetting.option', 'destructive', 'Name of a self-service setting'],
  ['userSetting.value', 'destructive', 'A value for that setting'],
  ['columns', 'destructive', 'A body that manage-columns accepts, with its project, as JSON'],
  ['settings', 'destructive', 'A body that the settings update accepts, as a JSON array'],
  ['tokens.disabled', 'read', 'Token of a disabled user, who must be refused'],
]

/** Fields that are hidden while they are typed. */
const secret = /^(tokens|password|passwordAccount)\./

/** A page that shows values for a field, and how to find them on it. */
type Page = readonly [operation: OperationId, shown: (json: unknown) => Iterable<string>]

interface More {
  readonly isRequired?: boolean
  /** Without it `check` skips nothing. */
  readonly isOptional?: boolean
  /** Asked only if this field was given. */
  readonly after?: string
  readonly page?: Page
  readonly test?: Test
  /** Asks in another way than with one question for one text; null if the field is left out. */
  readonly ask?: (prompts: Prompts, draft: Draft, question: string) => Promise<Draft | null>
}

/** What members with such a name hold: each value, and each record as one text. */
const under = (name: RegExp) => (json: unknown) =>
  objects(json).flatMap((record) =>
    Object.entries(record)
      .filter(([key]) => name.test(key))
      .flatMap(([key, held]) => (Array.isArray(held) ? held : isObject(held) ? [held] : [{ [key]: held }]))
      .map((one) => (isObject(one) ? textOf(one) : String(one))),
  )

/** Without a text among them, numbers need the names of their members. */
function textOf(record: Readonly<Record<string, unknown>>): string {
  const hasText = Object.values(record).some((value) => typeof value === 'string')
  return [...new Set(hasText ? Object.values(record) : Object.entries(record).flat())].join(' ')
}

/** What is special about fields. */
const details: Readonly<Record<string, More>> = {
  baseUrl: { isRequired: true, ask: askPlace, test: testBaseUrl },
  'tokens.administrator': { isRequired: true, test: testAdministrator },
  safety: { isRequired: true, ask: askSafety },
  'tokens.restricted': { test: testOther('restricted') },
  user: { ask: askUser, test: testUser },
  projects: { page: ['getCustomFieldCreatePage', under(/^projects?$/i)] },
  projectAccessLevel: { after: 'projects', page: ['getUserCreatePage', under(/level/i)] },
  accessLevel: { page: ['getUserCreatePage', under(/level/i)] },
  emailDomain: { isOptional: true },
  'customField.ids': { isOptional: true },
  'customField.type': { page: ['getCustomFieldCreatePage', under(/types$/i)] },
  'customField.nameLimit': { page: ['getCustomFieldCreatePage', under(/limit|max/i)] },
  'plugin.name': { page: ['listPlugins', availablePlugins] },
  'plugin.priority.min': { after: 'plugin.name' },
  'plugin.priority.max': { after: 'plugin.priority.min', isRequired: true },
  'tokens.password': { test: testOther('password') },
  'passwordAccount.current': { after: 'tokens.password' },
  'passwordAccount.next': { after: 'passwordAccount.current', isRequired: true },
  'userSetting.value': { after: 'userSetting.option', isRequired: true },
  'tokens.disabled': { test: testDisabled },
}

/** The fields that the level of the draft uses. */
const used = ({ safety = 'read' }: Draft) =>
  questions.filter(([, lowest]) => safetyLevels.indexOf(lowest) <= safetyLevels.indexOf(safety))

/** One line on the absent fields that the level uses, and the consequence; null if there are none. */
export function leftOutLine(draft: Draft): string | null {
  const { notImplemented = [] } = draft
  const absent = used(draft).flatMap(([path]) => {
    const { after, isOptional } = details[path] ?? {}
    if (after || isOptional || fieldOf(draft, path) !== undefined) return []
    const operations = operationsNeeding(path)
    if (operations.length === 0) return path
    return operations.every((id) => notImplemented.includes(id)) ? [] : `${path} (${operations.join(', ')})`
  })
  if (absent.length === 0) return null
  return `not in the profile, so check skips what needs them: ${absent.join(', ')}; add them with --set or in the file`
}

/** Asks for each field; for one that the flags gave, only if the value is wrong. */
export async function askProfile(prompts: Prompts, given: Draft, tester: Tester): Promise<Draft> {
  let draft = given
  for (const question of questions) {
    const [path] = question
    const { after } = details[path] ?? {}
    const isAsked = used(draft).includes(question) && (!after || fieldOf(draft, after) !== undefined)
    if (isAsked || fieldOf(draft, path) !== undefined)
      draft = await askField(prompts, question, draft, tester)
  }
  return draft
}

/** Repeats a question, with what is wrong, until the answer is right. */
async function askField(prompts: Prompts, field: Question, given: Draft, tester: Tester): Promise<Draft> {
  const [path, , text] = field
  const { isRequired = false, page, test, ask = askText(path) } = details[path] ?? {}
  let draft = given
  let isAsked = fieldOf(given, path) === undefined
  for (;;) {
    try {
      if (isAsked) {
        if (page) await showValues(path, page, draft, tester)
        const question = isRequired ? text : `${text} (press Enter to leave it out)`
        const answered = await ask(prompts, draft, question)
        if (answered === null) return without(draft, path)
        draft = answered
      }
      return (await test?.(draft, tester)) ?? draft
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof UnreachableError)) throw error
      prompts.wrong(error)
      isAsked = path === 'baseUrl' || !(error instanceof WrongTarget)
      // At another place, the same value may be right.
      if (!isAsked) draft = await askField(prompts, place, without(draft, 'baseUrl'), tester)
      else if (path !== 'baseUrl' && !(error instanceof MissingForm)) draft = without(draft, path)
    }
  }
}

const without = (draft: Draft, path: string): Draft =>
  fieldOf(draft, path) === undefined ? draft : (leaveOut(draft as Profile, path) as Draft)

const askText =
  (path: string) =>
  async (prompts: Prompts, draft: Draft, question: string): Promise<Draft | null> => {
    const answer = secret.test(path) ? await prompts.secret(question) : (await prompts.text(question)).trim()
    return answer === '' && !details[path]?.isRequired ? null : assign(draft, path, answer)
  }

async function askPlace(prompts: Prompts, draft: Draft, question: string): Promise<Draft> {
  const placed = assign(draft, 'baseUrl', await prompts.text(question, draft.baseUrl))
  const ext = (await prompts.text('Extension path segment', draft.ext ?? 'Ext')).trim()
  return { ...placed, ext: ext || 'Ext' }
}

async function askSafety(prompts: Prompts, draft: Draft, question: string): Promise<Draft> {
  const choices = safetyLevels.map((value) => ({ value, hint: safetyMeans[value] }))
  return assign(draft, 'safety', await prompts.choose(question, choices, 'read'))
}

/** Adds the answer to the other form of the user, if that is known. */
async function askUser(prompts: Prompts, draft: Draft, question: string): Promise<Draft | null> {
  const text = (await prompts.text(question)).trim()
  if (text === '') return null
  const form = /^\d+$/.test(text) ? { id: Number(text) } : { username: text }
  return { ...draft, user: { ...draft.user, ...form } }
}

const MOST_SHOWN = 20

/** Tells the possible values of a field that a page shows. */
async function showValues(path: string, page: Page, draft: Draft, tester: Tester): Promise<void> {
  const [operation, shown] = page
  const { status, json } = await withClient(draft, tester, (client) => client.send({ operation }))
  const values = status === 200 ? [...new Set(shown(json))].slice(0, MOST_SHOWN) : []
  if (values.length > 0)
    tester.seen(
      `${operation} shows for ${path}: ${values.join(', ')}; choose what a run may use (--set ${path}=…)`,
    )
}

/** The plugins that a list shows as not installed, by the name for the path. A disabled plugin is not among them. */
function* availablePlugins(json: unknown): Generator<string> {
  for (const record of objects(json)) {
    const name = textAt(record, [/^base_?name$/i, /^(plugin_?)?name$/i])
    if (record.installed === false && name !== undefined) yield name
  }
}
