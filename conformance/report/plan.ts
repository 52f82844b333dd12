/** What a run would do on its target, without a request. */
import { type OperationId, type Profile, type Safety, safetyLevels, safetyMeans } from '../contract/index.js'
import { absentIn } from '../drive/needs.js'
import { type DriveOptions, storiesOf } from '../drive/run.js'
import type { Story } from '../drive/stories/index.js'

/**
 * Of a whole run with a full profile, measured on the built-in emulator: requests of each run, requests per generated
 * case, and users that stay disabled.
 */
const measured = {
  read: { fixed: 300, each: 0, disabled: 0 },
  write: { fixed: 1650, each: 1.1, disabled: 38 },
  destructive: { fixed: 2145, each: 1.4, disabled: 38 },
} as const

/** The load, with requests rounded to hundreds: their number depends on what the tracker refuses. */
function burdenOf(safety: Safety, runs: number) {
  const { fixed, each, disabled } = measured[safety]
  return { requests: 100 * Math.ceil((fixed + each * runs) / 100), disabled }
}

/** The number of generated requests; a nightly run may have more. */
export const DEFAULT_RUNS = 20

/** For the docs: about how many requests a run sends at each level, and how many disabled users it leaves. */
export const burdens = safetyLevels.map((safety) => ({ safety, ...burdenOf(safety, DEFAULT_RUNS) }))

/** How many requests the tracker has to answer, and what stays on it. */
function burden(options: DriveOptions): string[] {
  const { safety, rate, only, shard, survey, budget, runs, profile } = options
  const isPart = only.length > 0 || shard || absentIn(profile).length > 0
  const about = isPart ? 'at most about' : 'about'
  const { requests, disabled } = burdenOf(safety, runs)
  const count = budget > 0 ? Math.min(budget, requests) : requests
  const pace =
    rate > 0
      ? `no more than ${rate} a second`
      : 'one after the other, as fast as the tracker answers (--rate N sets a limit)'
  return [
    `It sends ${about} ${count} requests, ${pace}.`,
    // A built-in emulator ends with the run, so nothing stays on it.
    ...(disabled === 0 || !survey ? [] : remains(profile, `${about} ${disabled}`)),
  ]
}

function remains(profile: Profile, count: string): string[] {
  const lacks = (id: OperationId) => lackingIn(profile).includes(id)
  const users = lacks('updateUser')
    ? 'It cannot disable the users that it creates.'
    : `It leaves ${count} disabled users: this interface deletes no users.`
  const fields = `It ${lacks('deleteCustomField') ? 'cannot delete' : 'deletes'} its custom fields.`
  return [
    [...(lacks('createUser') ? [] : [users]), ...(lacks('createCustomField') ? [] : [fields])].join(' '),
    'If the tracker refuses to delete fields or to disable users, the run makes only one of them; the report names it.',
  ]
}

/** What makes a thing, what shows it, and what changes it: a run changes only what it has made and seen. */
const changes: readonly (readonly [maker: OperationId, reads: OperationId[], changed: OperationId[]])[] = [
  ['createUser', ['getUser', 'getUserEditPage'], ['updateUser', 'addUserToProjects', 'resetUser']],
  [
    'createCustomField',
    ['getCustomFieldUpdatePage', 'listCustomFields'],
    ['updateCustomField', 'deleteCustomField'],
  ],
]

/** The operations that the tracker lacks, and those that can change nothing without them. */
function lackingIn({ notImplemented = [] }: Profile): OperationId[] {
  const lacks = (id: OperationId) => notImplemented.includes(id)
  const idle = changes.filter(([maker, reads]) => lacks(maker) || reads.every(lacks))
  return [...new Set([...notImplemented, ...idle.flatMap(([, , changed]) => changed)])]
}

export function planText(options: DriveOptions): string {
  const { profile, safety } = options
  const allowed = safetyLevels.slice(0, safetyLevels.indexOf(safety) + 1)
  const own = storiesOf(options)
  const left = storiesOf({ ...options, safety: 'destructive' }).filter((story) => !own.includes(story))
  const absent = absentIn(profile)
  const them = absent.length === 1 ? 'it' : 'one of these'
  const { notImplemented = [] } = profile
  const idle = lackingIn(profile).slice(notImplemented.length)
  const lines = [
    `On ${profile.baseUrl} (extension ${profile.ext ?? 'Ext'}) this run does what ${allowed.length === 1 ? 'this level allows' : 'these levels allow'}:`,
    ...allowed.map((level) => `  ${level.padEnd(13)}${safetyMeans[level]}`),
    ...(safety === 'destructive' ? [`  of the profile: ${shared(options)}`] : []),
    '',
    ...burden(options),
    ...allowed.flatMap((level) => storyLines(`Stories of the level ${level}`, own, level, profile)),
    ...safetyLevels.flatMap((level) => storyLines(`These need --safety ${level}`, left, level, profile)),
    ...(notImplemented.length > 0
      ? ['', `The profile says that the tracker lacks ${notImplemented.join(', ')}: the run leaves them out.`]
      : []),
    ...(idle.length > 0 ? [`Without these it can change nothing of its own with ${idle.join(', ')}.`] : []),
    ...(absent.length > 0
      ? ['', `The profile has no ${absent.join(', ')}: checks that need ${them} are skipped.`]
      : []),
  ]
  return `${lines.join('\n')}\n`
}

/** The stories of a level with the operations that they are about, as far as the tracker has them. */
function storyLines(title: string, stories: readonly Story[], level: Safety, profile: Profile): string[] {
  const { notImplemented = [] } = profile
  // At read, requests change nothing, so they need nothing that may be changed.
  const lacks = level === 'read' ? notImplemented : lackingIn(profile)
  const all = lacks.length > 0 ? 'all operations that the tracker has' : 'all operations'
  const rows = stories
    .filter((story) => story.level === level)
    .map(({ id, of }) => [id, of ? of.filter((one) => !lacks.includes(one)).join(', ') : all])
    .filter(([, operations]) => operations !== '')
    .map(([id, operations]) => `  ${id}: ${operations}`)
  return rows.length === 0 ? [] : ['', `${title}:`, ...rows]
}

/** What such a run uses up or changes of the things that the profile names. */
function shared({ profile }: DriveOptions): string {
  const named = [
    profile.plugin && `the plugin ${profile.plugin.name}`,
    profile.passwordAccount && profile.tokens.password && 'the password of the account of tokens.password',
    profile.userSetting && `the setting ${profile.userSetting.option} of the administrator`,
    profile.columns && 'the columns of the administrator and of the restricted user',
    profile.settings && 'the extension settings',
    profile.recipients?.length && `the recipients ${profile.recipients.join(', ')} (deleted for good)`,
    profile.recipients?.length && 'a recipient that the tracker confuses with one that does not exist',
    profile.user && `an impersonated session of ${profile.user.username}, who is not changed`,
    profile.customField?.ids?.length && `the custom fields ${profile.customField.ids.join(', ')}`,
  ].filter((text) => typeof text === 'string')
  return named.length > 0 ? named.join(', ') : 'nothing that the profile names'
}
