/** What a learning sends: the probes of the decisions, words, and the stories of `check`. */
import { decisionWords, type Step, stepsOf } from '../../contract/decisions/index.js'
import { type Story, stories } from '../../drive/stories/index.js'
import { castOf } from './cast.js'
import type { Chapter } from './run.js'
import { uncovered } from './uncovered.js'
import { words } from './words.js'

/** Steps are different where one has a member that the other leaves out. */
const keyOf = (step: Step) => JSON.stringify(step, (_, value) => (value === undefined ? 'left out' : value))
const all = [...Object.keys(decisionWords).flatMap(stepsOf), ...uncovered]
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

const probes = (id: string, level: Chapter['level'], some?: readonly Step[]): Chapter => ({
  ...{ id, level },
  async send(driver) {
    const play = castOf(driver)
    for (const step of some ?? steps.filter((one) => chapterOf(one) === id)) await play(step)
  },
})

/** Stories of `check`. */
const told = (id: string, level: Chapter['level'], isWanted: (story: Story) => boolean): Chapter => ({
  ...{ id, level },
  async send(driver) {
    for (const story of stories.filter(isWanted)) await story.run(driver, { seed: 1, runs: 0 })
  },
})

/** Stories of the pages of each caller, and of the user of the profile. */
const pages = ['own pages', 'reads', 'records', 'known user']

/** The chapters whose requests `check` does not send itself, apart from the pages. */
export const further: readonly Chapter[] = [
  told('pages', 'read', ({ id }) => pages.includes(id)),
  probes('decisions', 'read'),
  { id: 'words', level: 'write', send: words },
  probes('shared', 'destructive'),
  told('settings', 'destructive', ({ id }) => id === 'settings' || id === 'own settings'),
  probes('password', 'destructive'),
  probes('sessions', 'destructive'),
]

/** `diff` sends all stories of `check`, so a learning has to ask the same, as far as its budget goes. */
export const plan: readonly Chapter[] = [
  ...further,
  told('requests', 'read', ({ id, level }) => level !== 'destructive' && !pages.includes(id)),
]

/** The probes of some decisions alone. */
export const planFor = (decisions: readonly string[]): Chapter[] => [
  probes('decisions', 'read', decisions.flatMap(stepsOf)),
]
