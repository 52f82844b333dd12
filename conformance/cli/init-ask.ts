/** Fills a profile field by field: tests what was given, asks for the rest, and asks again if an answer is wrong. */
import { type Safety, safetyLevels, safetyMeans } from '../contract/index.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { MissingForm, offered, testToken, testUser } from './init-fields.js'
import { assign, type Draft, fieldOf } from './init-set.js'
import {
  baseUrlOf,
  type Tester,
  testAdministrator,
  testBaseUrl,
  testRestricted,
  tokenOf,
  WrongTarget,
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

interface Question {
  readonly path: string
  /** The lowest level whose checks use the field. */
  readonly safety: Safety
  readonly text: string
  readonly secret?: true
  /** Asked only if this field was given, and then required. */
  readonly with?: string
  /** Asked only if this field was given. */
  readonly after?: string
}

const asking = (
  safety: Safety,
  path: string,
  text: string,
  more: Pick<Question, 'secret' | 'with' | 'after'> = {},
): Question => ({ safety, path, text, ...more })

const questions: readonly Question[] = [
  asking('read', 'projects', 'Ids of existing projects, with commas between them'),
  asking('read', 'projectAccessLevel', 'Access level that a user may get in these projects', {
    after: 'projects',
  }),
  asking('write', 'accessLevel', 'Access level (integer) that a new user may get'),
  asking('write', 'emailDomain', 'Domain of e-mail addresses for new users, if not example.org'),
  asking('write', 'password.valid', 'A password that the tracker accepts', { secret: true }),
  asking('write', 'password.invalid', 'A password that its rules refuse', { secret: true }),
  asking('write', 'customField.type', 'A type of custom field that the tracker accepts'),
  asking('write', 'customField.nameLimit', 'Longest name of a custom field, in characters'),
  asking('write', 'customField.ids', 'Ids of custom fields that a run may change and delete'),
  asking('destructive', 'plugin.name', 'A plugin that is available and not installed'),
  asking('destructive', 'plugin.priority.min', 'Lowest priority of a plugin', { after: 'plugin.name' }),
  asking('destructive', 'plugin.priority.max', 'Highest priority of a plugin', {
    with: 'plugin.priority.min',
  }),
  asking('destructive', 'recipients', 'Ids of helpdesk recipients that a run may delete'),
  asking('destructive', 'tokens.password', 'Token of an account kept only to have its password changed', {
    secret: true,
  }),
  asking('destructive', 'passwordAccount.current', "That account's password", {
    secret: true,
    after: 'tokens.password',
  }),
  asking('destructive', 'passwordAccount.next', 'Another password for that account', {
    secret: true,
    with: 'passwordAccount.current',
  }),
  asking('destructive', 'userSetting.option', 'Name of a self-service setting'),
  asking('destructive', 'userSetting.value', 'A value for that setting', { with: 'userSetting.option' }),
  asking('destructive', 'columns', 'A body that manage-columns accepts, as JSON'),
  asking('destructive', 'settings', 'A body that the settings update accepts, as a JSON array'),
  asking('read', 'tokens.disabled', 'Token of a disabled user, who must be refused', { secret: true }),
]

const isOf = ({ safety }: Question, draft: Draft) =>
  safetyLevels.indexOf(safety) <= safetyLevels.indexOf(draft.safety ?? 'read')

/** One line on the absent fields that the level uses, and the consequence; null if there are none. */
export function leftOutLine(draft: Draft): string | null {
  const asked = questions.filter((one) => !one.with && !one.after && isOf(one, draft))
  const paths = ['tokens.restricted', 'user', ...asked.map(({ path }) => path)]
  const absent = paths.filter((path) => fieldOf(draft, path) === undefined)
  if (absent.length === 0) return null
  return `not in the profile, so check skips what needs them: ${absent.join(', ')}; add them with --set or in the file`
}

const optional = (text: string) => `${text} (press Enter to leave it out)`

/** Asks for each field; for one that the flags gave, only if the value is wrong. */
export async function askProfile(prompts: Prompts, given: Draft, tester: Tester): Promise<Draft> {
  let draft = await askTarget(prompts, given, tester)
  if (draft.safety === undefined) {
    const choices = safetyLevels.map((value) => ({ value, hint: safetyMeans[value] }))
    draft = assign(draft, 'safety', await prompts.choose('The most that a run may do', choices, 'read'))
  }
  draft = await askRestricted(prompts, draft, tester)
  draft = await askUser(prompts, draft, tester)
  for (const question of questions) {
    const before = question.with ?? question.after
    const isAsked = isOf(question, draft) && (before === undefined || fieldOf(draft, before) !== undefined)
    if (isAsked || fieldOf(draft, question.path) !== undefined)
      draft = await askField(prompts, question, draft, tester)
  }
  return draft
}

/** Repeats an attempt until it is right, and prints each error unless it is thrown on. The first may use given values. */
async function until<T>(
  prompts: Prompts,
  attempt: (first: boolean) => Promise<T>,
  isThrownOn: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let first = true; ; first = false) {
    try {
      return await attempt(first)
    } catch (error) {
      const isWrong = error instanceof UsageError || error instanceof UnreachableError
      if (!isWrong || isThrownOn(error)) throw error
      prompts.wrong(error)
    }
  }
}

async function askTarget(prompts: Prompts, given: Draft, tester: Tester): Promise<Draft> {
  let draft = given
  let known = given.baseUrl !== undefined
  const place = async (first: boolean) => {
    if (!first || !known) {
      const baseUrl = await prompts.text('Base URL, the REST root of the tracker', draft.baseUrl)
      draft = { ...draft, baseUrl: baseUrlOf(baseUrl) }
      const ext = (await prompts.text('Extension path segment', draft.ext ?? 'Ext')).trim()
      draft = { ...draft, ext: ext || 'Ext' }
    }
    prompts.seen(await testBaseUrl(draft, tester))
  }
  const secret = async (first: boolean) => {
    const token = first ? draft.tokens.administrator : undefined
    const administrator =
      token ?? tokenOf(await prompts.secret("The administrator's token"), 'administrator token')
    draft = { ...draft, tokens: { ...draft.tokens, administrator } }
    prompts.seen(await testAdministrator(draft, tester))
    return draft
  }
  return until(prompts, async (first) => {
    if (!first) known = false
    await until(prompts, place)
    // With another target the base URL is asked for again; the token may be right.
    return until(prompts, secret, (error) => error instanceof WrongTarget)
  })
}

function askRestricted(prompts: Prompts, draft: Draft, tester: Tester): Promise<Draft> {
  return until(prompts, async (first) => {
    const question = optional('Token of an enabled user without any administrative permission')
    const token = (first ? draft.tokens.restricted : undefined) ?? (await prompts.secret(question))
    const { restricted: _, ...others } = draft.tokens
    if (token === '') return { ...draft, tokens: others }
    const next = { ...draft, tokens: { ...others, restricted: tokenOf(token, 'restricted token') } }
    prompts.seen(await testRestricted(next, tester))
    return next
  })
}

function askUser(prompts: Prompts, draft: Draft, tester: Tester): Promise<Draft> {
  const { user: given, ...others } = draft
  const question = optional('Id or username of an enabled ordinary user who owns none of the tokens')
  const found = async (user: Draft['user'] = {}): Promise<Draft> => {
    const { user: complete, line } = await testUser({ ...others, user }, tester)
    prompts.seen(line)
    return { ...others, user: complete }
  }
  return until(prompts, async (first) => {
    const text = first && given ? '' : (await prompts.text(question)).trim()
    const user = text === '' ? given : /^\d+$/.test(text) ? { id: Number(text) } : { username: text }
    if (user === undefined || (text === '' && !first)) return others
    try {
      return await found(user)
    } catch (error) {
      if (!(error instanceof MissingForm)) throw error
      prompts.wrong(error)
      const asked = await prompts.text(error.missing === 'id' ? 'Its id' : 'Its username')
      return await found(assign({ tokens: {}, user }, `user.${error.missing}`, asked.trim()).user)
    }
  })
}

function askField(prompts: Prompts, question: Question, draft: Draft, tester: Tester): Promise<Draft> {
  const { path, secret, text } = question
  return until(prompts, async (first) => {
    const isGiven = first && fieldOf(draft, path) !== undefined
    let next = draft
    if (!isGiven) {
      const shown = await offered(path, draft, tester)
      if (shown !== null) prompts.seen(shown)
      const asked = question.with === undefined ? optional(text) : text
      const answer = secret ? await prompts.secret(asked) : (await prompts.text(asked)).trim()
      if (answer === '' && question.with === undefined) return draft
      next = assign(draft, path, answer)
    }
    const line = fieldOf(next, path) === undefined ? null : await testToken(path, next, tester)
    if (line !== null) prompts.seen(line)
    return next
  })
}
