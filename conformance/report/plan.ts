/** What a run would do on its target, before it sends anything. */

import { type Safety, safetyLevels, safetyMeans } from '../contract/index.js'
import { DEFAULT_RUNS, planOf } from '../suite/plan.js'
import { profileFields } from '../suite/profile-fields.js'
import type { RunOptions } from '../suite/types.js'

/** Measured on the built-in emulator with a full profile: requests whatever `runs` is, and those of each run. */
const requestsAt = {
  read: { fixed: 700, each: 2.7 },
  write: { fixed: 1980, each: 4.6 },
  destructive: { fixed: 2810, each: 4.5 },
} as const

/** Users that a whole run above the level read makes and disables, measured likewise. */
const DISABLED = 75

/** Rounded to hundreds: a tracker that refuses more or less is asked more or less. */
function requestsFor(safety: Safety, runs: number): number {
  const { fixed, each } = requestsAt[safety]
  return 100 * Math.round((fixed + each * runs) / 100)
}

/** Of each level, about how many requests a run sends and how many disabled users it leaves, for the documents. */
export const burdens = safetyLevels.map((safety) => ({
  safety,
  requests: requestsFor(safety, DEFAULT_RUNS),
  disabled: safety === 'read' ? 0 : DISABLED,
}))

function requestsOf({ safety, runs, budget }: RunOptions): number {
  const about = requestsFor(safety, runs)
  return budget > 0 ? Math.min(budget, about) : about
}

/** How much the tracker has to bear, and what stays on it. */
function burden(options: RunOptions): string[] {
  const { safety, rate, only, shard, survey, budget, concurrency = 1 } = options
  const isPart = only.length > 0 || shard !== null || absentIn(options).length > 0
  const about = isPart ? 'at most about' : 'about'
  // Only what changes nothing may run beside something else.
  const wide = safety === 'read' && budget === 0 && concurrency > 1
  const steps = wide ? `by ${concurrency} checks at a time (--concurrency N)` : 'one after the other'
  const pace =
    rate > 0
      ? `no more than ${rate} a second`
      : `${steps}, as fast as the tracker answers (--rate N sets a limit)`
  return [
    `It sends ${about} ${requestsOf(options)} requests, ${pace}.`,
    // An emulator of the run's own ends with it.
    ...(safety === 'read' || !survey
      ? []
      : [`It leaves ${about} ${DISABLED} disabled users: this interface deletes no users.`]),
  ]
}

/** Fields without which some requirements are skipped. */
const absentIn = ({ profile }: RunOptions) =>
  Object.entries(profileFields).flatMap(([field, valueIn]) => (valueIn(profile) === undefined ? [field] : []))

export function planText(options: RunOptions): string {
  const { profile, safety } = options
  const allowed = safetyLevels.slice(0, safetyLevels.indexOf(safety) + 1)
  const plan = planOf(options)
  const steps = [...plan.main, ...plan.last, ...plan.end]
  const asked = new Set(steps.filter(({ silent }) => !silent).map(({ requirement }) => requirement))
  const count = (level: string) => [...asked].filter(({ safety: own }) => own === level).length
  const absent = absentIn(options)
  const lines = [
    `On ${profile.baseUrl} (extension ${profile.ext ?? 'Ext'}) this run`,
    ...allowed.map((level) => `  ${safetyMeans[level]}`),
    ...(safety === 'destructive' ? [`  of the profile: ${shared(options)}`] : []),
    '',
    ...burden(options),
    '',
    ...safetyLevels.map((level) => {
      const word = allowed.includes(level) ? 'would be judged' : `need --safety ${level}`
      return `${String(count(level)).padStart(4)} requirements of the level ${level} ${word}`
    }),
    ...(absent.length > 0
      ? [`The profile has no ${absent.join(', ')}: what needs one of these is skipped.`]
      : []),
  ]
  return `${lines.join('\n')}\n`
}

/** What of the profile such a run uses up or changes. */
function shared({ profile }: RunOptions): string {
  const named = [
    profile.plugin && `the plugin ${profile.plugin.name}`,
    profile.passwordAccount && profile.tokens.password && 'the password of the account of tokens.password',
    profile.userSetting && `the setting ${profile.userSetting.option} of the administrator`,
    profile.columns && 'the columns of the administrator and of the restricted user',
    profile.settings && 'the extension settings',
    profile.recipients?.length && `the recipients ${profile.recipients.join(', ')} (deleted for good)`,
    profile.recipients?.length && 'any recipient that a tracker takes for one that there is not',
    profile.user && `an impersonated session of ${profile.user.username}, who is not changed`,
    profile.customField?.ids?.length && `the custom fields ${profile.customField.ids.join(', ')}`,
  ].filter((text) => typeof text === 'string')
  return named.length > 0 ? named.join(', ') : 'nothing that the profile names'
}
