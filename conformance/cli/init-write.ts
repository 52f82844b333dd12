/** What `init` prints and writes: the profile, and a workflow that checks with it. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, relative, sep } from 'node:path'
import { redactor } from '../client/redact.js'
import { type Profile, profileSchema, safetyLevels } from '../contract/index.js'
import { troubleOf, UsageError } from '../contract/trouble.js'
import { version } from '../contract/version.js'
import { schemaFor } from '../report/schema-file.js'
import { writeWhole } from '../report/whole-file.js'
import { makeFolders } from './files.js'
import { shellWord } from './replay.js'

/** The profile in the order of its schema, without the administrator's token if that stays in the environment. */
export function fileOf(profile: Profile, keepsToken: boolean, file: string): Record<string, unknown> {
  const { administrator, ...others } = profile.tokens
  const tokens = keepsToken ? { administrator, ...others } : others
  const fields: Record<string, unknown> = { ...profile, tokens }
  const given = Object.keys(profileSchema.shape).filter(
    (name) => fields[name] !== undefined && !(name === 'tokens' && Object.keys(tokens).length === 0),
  )
  return {
    $schema: schemaFor('profile', file),
    ...Object.fromEntries(given.map((name) => [name, fields[name]])),
  }
}

/** A file of `fileOf` for display, without tokens and passwords. */
export const masked = (file: Record<string, unknown>, profile: Profile): unknown =>
  redactor(profile).json(file)

export const holdsSecrets = (file: Record<string, unknown>) =>
  ['tokens', 'passwordAccount', 'password'].some((name) => name in file)

/** Throws if the file exists. Called before the first question, so that no answer is lost. */
export async function checkFree(flag: string, file: string, force: boolean): Promise<void> {
  if (existsSync(file)) {
    if (!force) throw new UsageError(`--${flag} ${file} exists already; --force overwrites it`)
    if (!(await stat(file)).isFile()) throw new UsageError(`--${flag} ${file} is not a file`)
  }
}

/** Writes a file with `mode`, even if the existing file was open to others. */
export async function writeText(flag: string, file: string, text: string, mode: number, force: boolean) {
  const what = `--${flag} ${file}`
  await makeFolders(dirname(file)).catch((error: unknown) => {
    throw new UsageError(`${what} cannot be written: ${troubleOf(error)}`)
  })
  await checkFree(flag, file, force)
  await writeWhole(what, file, () => text, mode)
}

/** A path for a shell command, relative to the working directory if it is below that. */
export function wordOf(file: string): string {
  const below = relative(process.cwd(), file).split(sep).join('/')
  return shellWord(below.startsWith('../') ? file : below)
}

export function checkCommand(file: string, { safety = 'read' }: Profile): string {
  return `npx tracker-kit check --profile ${wordOf(file)}${safety === 'read' ? '' : ` --safety ${safety}`}`
}

/**
 * A GitHub workflow. A profile with secrets must not be in the repository, so the workflow reads it from a secret. A
 * scheduled run only reads: higher levels leave disabled users and use up what the profile names.
 */
export function workflowOf(file: string, { safety = 'read' }: Profile, secret: boolean): string {
  const place = wordOf(secret ? basename(file) : file)
  const levels = safetyLevels.slice(0, safetyLevels.indexOf(safety) + 1)
  const profileStep = `      - run: printf '%s' "$TRACKER_PROFILE" > ${place}
        env:
          TRACKER_PROFILE: \${{ secrets.TRACKER_PROFILE }}
`
  return `name: tracker
on:
  workflow_dispatch:
    inputs:
      safety:
        description: The most that this run may do; a scheduled one reads
        type: choice
        default: read
        options: [${levels.join(', ')}]
  schedule:
    - cron: '17 4 * * 1'
permissions:
  contents: read
# Two runs at once would see each other's users and fields.
concurrency: tracker
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
${secret ? profileStep : ''}      - run: |
          # What stands in known.json does not count. To write it: check --write-baseline known.json
          npx --yes "$TRACKER_KIT" check --profile ${place} --safety "$SAFETY" $(test -f known.json && echo --baseline known.json) --out report
        env:
          # Before this version is published: set the variable to its address, or to a path such as ./tracker-kit.tgz.
          TRACKER_KIT: \${{ vars.TRACKER_KIT || 'tracker-kit@${version}' }}
          SAFETY: \${{ inputs.safety || 'read' }}
          TRACKER_TOKEN: \${{ secrets.TRACKER_TOKEN }}
      - uses: actions/upload-artifact@v4
        if: \${{ !cancelled() }}
        with:
          name: report
          path: report
`
}
