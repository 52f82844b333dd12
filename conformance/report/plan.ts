/** What a run would do on its target, before it sends anything. */
import { safetyLevels } from '../contract/index.js'
import { planOf } from '../suite/plan.js'
import type { RunOptions } from '../suite/run.js'

const means = {
  read: 'sends GET requests, and requests that must be refused',
  write: 'also creates users and custom fields of its own, then deletes the fields and disables the users',
  destructive: 'also changes what is shared, and puts it back where it can: ',
} as const

export function planText(options: RunOptions): string {
  const { profile, safety } = options
  const allowed = safetyLevels.slice(0, safetyLevels.indexOf(safety) + 1)
  const plan = planOf(options)
  const steps = [...plan.main, ...plan.last, ...plan.end]
  const count = (level: string) => steps.filter(({ requirement }) => requirement.safety === level).length
  const lines = [
    `On ${profile.baseUrl} (extension ${profile.ext ?? 'Ext'}) this run`,
    ...allowed.map((level) => `  ${means[level]}${level === 'destructive' ? shared(options) : ''}`),
    '',
    ...safetyLevels.map((level) => {
      const word = allowed.includes(level) ? 'would be made' : `need --safety ${level}`
      return `${String(count(level)).padStart(4)} checks of the level ${level} ${word}`
    }),
  ]
  return `${lines.join('\n')}\n`
}

/** What of the profile such a run uses up or changes. */
function shared({ profile }: RunOptions): string {
  const named = [
    profile.plugin && `the plugin ${profile.plugin.name}`,
    profile.passwordAccount && profile.tokens.password && 'the password of the account of tokens.password',
    profile.userSetting && `the setting ${profile.userSetting.option} of the administrator`,
    profile.columns && "the administrator's columns",
    profile.settings && 'the extension settings',
    profile.recipients?.length && `the recipients ${profile.recipients.join(', ')} (deleted for good)`,
    profile.user && `an impersonated session of ${profile.user.username}`,
  ].filter((text) => typeof text === 'string')
  return named.length > 0 ? named.join(', ') : 'nothing that the profile names'
}
