/** What a run would do on its target, without a request. */
import { type OperationId, type Safety, safetyLevels, safetyMeans } from '../contract/index.js'
import { absentIn } from '../drive/needs.js'
import { type DriveOptions, storiesOf } from '../drive/run.js'

/**
 * Of a whole run with a full profile, measured on the built-in emulator: requests of each run, requests per generated
 * case, and users that stay disabled.
 */
const measured = {
  read: { fixed: 300, each: 0, disabled: 0 },
  write: { fixed: 1650, each: 1.1, disabled: 46 },
  destructive: { fixed: 2245, each: 1.4, disabled: 46 },
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

function burden({ safety, rate, only, shard, survey, budget, runs, profile }: DriveOptions): string[] {
  const { notImplemented = [] } = profile
  const isPart = only.length > 0 || shard || absentIn(profile).length + notImplemented.length > 0
  const about = isPart ? 'at most about' : 'about'
  const { requests, disabled } = burdenOf(safety, runs)
  const count = budget > 0 ? Math.min(budget, requests) : requests
  const fastest = 'one after the other, as fast as the tracker answers (--rate N sets a limit)'
  const sent = `It sends ${about} ${count} requests, ${rate > 0 ? `no more than ${rate} a second` : fastest}.`
  // A built-in emulator ends with the run, so nothing stays on it.
  if (disabled === 0 || !survey) return [sent]
  const lacks = (operation: OperationId) => notImplemented.includes(operation)
  const staying = (what: string) => `It creates only one ${what}, which stays: the tracker cannot remove it.`
  const users = `It leaves ${about} ${disabled} disabled users: this interface deletes no users.`
  const fields = lacks('deleteCustomField') ? staying('custom field') : 'It deletes its custom fields.'
  return [
    sent,
    ...(lacks('createUser') ? [] : [lacks('updateUser') ? staying('user') : users]),
    ...(lacks('createCustomField') ? [] : [fields]),
    'It changes only what it has created and a read has shown. If the tracker refuses to disable or delete a kind of thing, the run creates no second one, and the report names what stays.',
  ]
}

export function planText(options: DriveOptions): string {
  const { profile, safety } = options
  const allowed = safetyLevels.slice(0, safetyLevels.indexOf(safety) + 1)
  const stories = storiesOf({ ...options, safety: 'destructive' })
  const absent = absentIn(profile)
  const { notImplemented = [] } = profile
  const isLost = notImplemented.some((id) => /^(create|update|delete)(User|CustomField)$/.test(id))
  const lost = isLost ? /, then deletes .*$/ : ''
  const lines = [
    `On ${profile.baseUrl} (extension ${profile.ext ?? 'Ext'}) this run does what ${allowed.length === 1 ? 'this level allows' : 'these levels allow'}:`,
    ...allowed.map((level) => `  ${level.padEnd(13)}${safetyMeans[level].replace(lost, '')}`),
    safety === 'destructive' && `  of the profile: ${shared(options)}`,
    '',
    ...burden(options),
    '',
    ...safetyLevels.map((level) => {
      const ids = stories.filter((story) => story.level === level).map(({ id }) => id)
      const title = allowed.includes(level) ? `Stories of the level ${level}` : `These need --safety ${level}`
      return ids.length > 0 && `${title}: ${ids.join(', ')}`
    }),
    notImplemented.length > 0 &&
      `The profile says that the tracker lacks ${notImplemented.join(', ')}: the run leaves them out.`,
    absent.length > 0 &&
      `The profile has no ${absent.join(', ')}: checks that need ${absent.length === 1 ? 'it' : 'one of these'} are skipped.`,
  ]
  return `${lines.filter((line) => line !== false).join('\n')}\n`
}

/** What such a run uses up or changes of the things that the profile names. */
function shared({ profile }: DriveOptions): string {
  const guest = profile.notImplemented?.includes('impersonateUser') ? undefined : profile.user
  const named = [
    profile.plugin && `the plugin ${profile.plugin.name}`,
    profile.passwordAccount && profile.tokens.password && 'the password of the account of tokens.password',
    profile.userSetting && `the setting ${profile.userSetting.option} of the administrator`,
    profile.columns && 'the columns of the administrator and of the restricted user',
    profile.settings && 'the extension settings',
    profile.recipients?.length && `the recipients ${profile.recipients.join(', ')} (deleted for good)`,
    profile.recipients?.length && 'a recipient that the tracker confuses with one that does not exist',
    guest && `an impersonated session of ${guest.username}, who is not changed`,
    profile.customField?.ids?.length && `the custom fields ${profile.customField.ids.join(', ')}`,
  ].filter((text) => typeof text === 'string')
  return named.length > 0 ? named.join(', ') : 'nothing that the profile names'
}
