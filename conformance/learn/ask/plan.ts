/** What a learning sends: the probes of the decisions, words, lists of settings, and the stories of `check`. */
import { decisionWords, type Step, stepsOf } from '../../contract/decisions/index.js'
import { asking, assigning, creating, field, nina, updating } from '../../contract/decisions/make.js'
import type { Driver } from '../../drive/driver.js'
import { type Story, stories } from '../../drive/stories/index.js'
import { isObject } from '../../oracle/json.js'
import { castOf } from './cast.js'
import type { Chapter } from './run.js'
import { words } from './words.js'

/** What the probes of the decisions do not ask. */
const others: readonly Step[] = [
  ...['id,name', 'email', 'id,username,access_level'].map((list) =>
    asking('getUser', { ...nina, query: `?select=${list}` }),
  ),
  asking('getUser', { ...nina, query: '?select[]=id&select[]=name' }),
  asking('getUser', { ...nina, headers: { 'x-select': 'id' } }),
  asking('getUser', { path: { user_id: 'me' }, query: '?select=id' }),
  ...['silent', 'former', 'kiosk'].flatMap((user_id) => [
    asking('getUserEditPage', { path: { user_id } }),
    asking('getUser', { path: { user_id } }),
  ]),
  asking('getUser', { as: 'restricted', path: { user_id: 'former' } }),
  ...['sort_by=id', 'sort_by=name&sort_order=desc', 'sort_order=sideways', 'sort_by=name'].map((query) =>
    asking('listCustomFields', { query }),
  ),
  asking('listCustomFields', { headers: { 'x-sort-by': 'nonsense' } }),
  asking('listCustomFields', { headers: { 'x-sort-by': 'id', 'x-sort-order': 'desc' } }),
  ...['nina', 'nobody'].map((name) => asking('listPlugins', { headers: { 'x-mantis-username': name } })),
  ...['email', 'password', 'realname', 'access_level', 'enabled', 'username'].map((name) =>
    creating({ [name]: undefined }),
  ),
  ...['', '5', 'é-ö+a', 'a,b'].map((username) => creating({ username })),
  ...[{ email: '' }, { email: null }, { realname: '' }, { enabled: 1 }].map((one) => creating(one)),
  ...['short', 'lowercaseonly', ''].map((password) => creating({ password })),
  asking('getUser', { path: { user_id: '5' } }),
  ...[undefined, '0', 'list', 'date', 'STRING', '99', 5].map((type) => field({ name: 'Odd', type })),
  field({}),
  ...[['99'], ['abc'], [1]].map((projects) => field({ name: 'Odd' }, { projects })),
  ...['0', 'list', 'date'].map((type) =>
    asking('updateCustomField', { path: { field_id: 12 }, body: { custom_field: { type } } }),
  ),
  ...[{}, { name: 'CUSTOMER' }, { name: 'Odd', default_value: 'x' }].map((custom_field) =>
    asking('updateCustomField', { path: { field_id: 12 }, body: { custom_field } }),
  ),
  ...[['99'], ['abc']].map((projects) =>
    asking('updateCustomField', { path: { field_id: 12 }, body: { custom_field: {}, projects } }),
  ),
  asking('deleteCustomField', { path: { field_id: 12 } }),
  asking('getUserEditPage', { path: { user_id: 0 } }),
  ...[
    { protected: true },
    { realname: 'New' },
    { protected: false },
    { protected: true, realname: 'New' },
  ].map((body) => asking('updateUser', { path: { user_id: 'kiosk' }, body })),
  ...['nina', 'a,b', ''].map((username) => updating({ username })),
  ...[{ id: 25 }, 33, '25', 101].map((access_level) => updating({ access_level })),
  creating({ access_level: { id: 25 } }),
  ...['former', 'kiosk', 'second.admin'].map((user_id) => assigning({}, { path: { user_id } })),
  ...['', undefined, 'administrator', '33', 25].map((access_level) => assigning({ access_level })),
  ...[['99'], ['1', '1'], undefined, '1', [null], ['0'], ['-3']].map((project_ids) =>
    assigning({ project_ids }),
  ),
]

/** Steps are different where one has a member that the other leaves out. */
const keyOf = (step: Step) => JSON.stringify(step, (_, value) => (value === undefined ? 'left out' : value))
const all = [...Object.keys(decisionWords).flatMap(stepsOf), ...others]
const steps: readonly Step[] = [...new Map(all.map((step) => [keyOf(step), step])).values()]

/** The chapter that a step belongs to. */
function chapterOf(step: Step): string {
  if (!('operation' in step)) return 'decisions'
  const { operation: op, as, path = {} } = step
  const isSelf = as === 'reporter' && path.user_id === as
  if (isSelf || /developer|manager|viewer|protected/.test(as ?? '')) return 'sessions'
  if (op === 'impersonateUser') return 'sessions'
  if (op === 'changeOwnPassword') return 'password'
  return /Plugin|Settings$|Columns|Recipient/.test(op) ? 'shared' : 'decisions'
}

const probes = (id: string, level: Chapter['level'], all: readonly Step[]): Chapter => ({
  ...{ id, level },
  async send(driver) {
    const cast = castOf(driver)
    for (const step of all) await cast.play(step)
    await cast.leave()
  },
})
const probesOf = (id: string, level: Chapter['level']) =>
  probes(
    id,
    level,
    steps.filter((step) => chapterOf(step) === id),
  )

/** Stories of `check`. */
const told = (id: string, isWanted: (story: Story) => boolean): Chapter => ({
  ...{ id, level: 'read' },
  async send(driver) {
    for (const story of stories.filter(isWanted)) await story.run(driver, { seed: 1, runs: 0 })
  },
})

/** The settings of the profile, and its self-service setting, in lists with a wrong element or with several. */
async function settings(driver: Driver): Promise<void> {
  const { settings: list, userSetting } = driver.profile
  for (const body of variantsOf(list, driver.word())) await driver.ask({ op: 'updateSettings', body })
  for (const configs of variantsOf(userSetting && [userSetting], driver.word()))
    await driver.ask({ op: 'updateUserSettings', body: { configs } })
}

/** A list of settings with another first element, or with more of them. */
function variantsOf(list: readonly unknown[] = [], word: string): unknown[][] {
  const [first] = list
  if (!isObject(first)) return []
  const named = Object.keys(first).find((key) => key !== 'value') ?? 'option'
  const unknown = { ...first, [named]: word }
  const others = [undefined, null, 5, 'text'].map((value) => ({ ...first, value }))
  const parts = [unknown, ...others, { ...first, [named]: undefined }, 'text', { ...first, extra: 1 }]
  return [...parts.map((one) => [one]), [first, first], [first, unknown]]
}

/** Stories of the pages of each caller, and of the user of the profile. */
const pages = ['own pages', 'reads', 'records', 'known user']

/** The chapters whose requests `check` does not send itself, apart from the pages. */
export const further: readonly Chapter[] = [
  told('pages', ({ id }) => pages.includes(id)),
  probesOf('decisions', 'read'),
  { id: 'words', level: 'write', send: words },
  probesOf('shared', 'destructive'),
  { id: 'settings', level: 'destructive', send: settings },
  probesOf('password', 'destructive'),
  probesOf('sessions', 'destructive'),
]

/** `diff` sends all stories of `check`, so a learning has to ask the same, as far as its budget goes. */
export const plan: readonly Chapter[] = [
  ...further,
  told('requests', ({ id, level }) => level !== 'destructive' && !pages.includes(id)),
]

/** The probes of some decisions alone. */
export const planFor = (decisions: readonly string[]): Chapter[] => [
  probes('decisions', 'read', decisions.flatMap(stepsOf)),
]
