/** `tracker-kit init`: makes a profile from answers at a terminal or from flags, and tests the target, its tokens and the user. */
import { existsSync, statSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { parseProfile } from '../client/profile.js'
import { redactor } from '../client/redact.js'
import { safetyLevels, safetyMeans } from '../contract/index.js'
import { UsageError } from '../contract/trouble.js'
import { makeDirectory, schemaFor, writeWhole } from './files.js'
import { askProfile, Cancelled, leftOutLine, noPrompts, type Prompts } from './init-fields.js'
import { assign, type Draft } from './init-set.js'
import { shellWord } from './replay.js'
import { limitsOf, targetFlags } from './target.js'
import { type Command, exitCodes, type FlagValues, type Given, type Io } from './usage.js'

/** Null if questions cannot be asked because standard input or standard error is no terminal. */
export type LoadPrompts = ((signal: AbortSignal) => Promise<Prompts>) | null

const atTerminal: LoadPrompts =
  process.stdin.isTTY && process.stderr.isTTY
    ? async (signal) => (await import('./init-prompts.js')).terminalPrompts(signal)
    : null

const levels = safetyLevels.map((level) => `\n  ${level.padEnd(13)}${safetyMeans[level]}`).join('')

export const init: Command = {
  about:
    'Writes a profile of a tracker. It asks questions, unless the flags give all that it needs.\nIt sends only GET requests. ' +
    `The levels of safety, and what a run may do:${levels}`,
  flags: {
    'base-url': targetFlags['base-url'],
    ext: targetFlags.ext,
    token: ['T', "the administrator's bearer token; default $TRACKER_TOKEN, which init never writes down"],
    'restricted-token': ['T', 'token of an enabled user without any administrative permission'],
    'user-id': ['N', 'id of an enabled ordinary user who owns none of the tokens'],
    username: ['NAME', 'username of the same user; needed if answers show no fields'],
    safety: ['LEVEL', 'read (default), write or destructive: the most that any run may do'],
    set: ['PATH=VALUE', 'set another field, as JSON or text: --set customField.type=string; repeatable'],
    timeout: targetFlags.timeout,
    out: ['FILE', 'file of the profile, default tracker.json'],
    force: ['', 'overwrite an existing file'],
  },
  examples: ['init', 'init --base-url https://tracker.example/api/rest --user-id 5 --username reporter'],
  run: (given, io) => makeProfile(given, io),
}

export async function makeProfile({ flags, all }: Given, io: Io, loadPrompts = atTerminal) {
  const file = flags.out ?? 'tracker.json'
  // Checked before the first question, so that no answer is lost.
  if (existsSync(file)) {
    if (flags.force === undefined) throw new UsageError(`--out ${file} exists already; --force overwrites it`)
    if (!statSync(file).isFile()) throw new UsageError(`--out ${file} is not a file`)
  }
  let draft: Draft
  try {
    const known = draftOf(flags, all.set ?? [], io)
    const missing = [
      ...(known.baseUrl === undefined ? ['--base-url'] : []),
      ...(known.tokens.administrator === undefined ? ['--token (or TRACKER_TOKEN)'] : []),
    ]
    if (missing.length > 0 && loadPrompts === null)
      throw new UsageError(`needs ${missing.join(' and ')}, as there is no terminal to ask at`)
    // Reports a field that requires another field before any request is sent.
    if (missing.length === 0) parseProfile({ ...known, user: undefined }, 'the flags')
    const isAsking = missing.length > 0 && loadPrompts !== null
    const prompts = isAsking ? await loadPrompts(io.signal) : noPrompts((line) => io.err(`${line}\n`))
    const { seen } = prompts
    draft = await askProfile(prompts, known, { timeout: limitsOf(flags).timeout, signal: io.signal, seen })
  } catch (error) {
    if (!(error instanceof Cancelled || io.signal.aborted)) throw error
    io.err('Cancelled; nothing was written\n')
    return exitCodes.cancelled
  }
  const leftOut = leftOutLine(draft)
  if (leftOut !== null) io.err(`${leftOut}\n`)
  await write(draft, file, io)
  return exitCodes.ok
}

/** The flags that give a field, with the field. */
const given = {
  'base-url': 'baseUrl',
  ext: 'ext',
  token: 'tokens.administrator',
  'restricted-token': 'tokens.restricted',
  'user-id': 'user.id',
  username: 'user.username',
  safety: 'safety',
} as const

/** The values from the flags and the environment. */
function draftOf(flags: FlagValues, sets: readonly string[], { env }: Io): Draft {
  let draft: Draft = { tokens: {} }
  if (env.TRACKER_TOKEN) draft = assign(draft, given.token, env.TRACKER_TOKEN)
  for (const text of sets) {
    const [, path, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (path === undefined) throw new UsageError('--set takes PATH=VALUE, such as customField.type=string')
    draft = assign(draft, path, value)
  }
  for (const [flag, path] of Object.entries(given)) {
    const text = flags[flag]
    if (text !== undefined) draft = assign(draft, path, text)
  }
  return draft
}

async function write(draft: Draft, file: string, io: Io): Promise<void> {
  const profile = parseProfile({ ...draft, safety: draft.safety ?? 'read' }, 'init')
  const fromEnvironment = profile.tokens.administrator === io.env.TRACKER_TOKEN?.trim()
  const { administrator: _, ...others } = profile.tokens
  const inFile = fromEnvironment ? others : profile.tokens
  const tokens = Object.keys(inFile).length === 0 ? undefined : inFile
  const content = { $schema: schemaFor('profile', file), ...profile, tokens }
  const hasSecrets = [tokens, profile.passwordAccount, profile.password].some((one) => one !== undefined)
  io.out(`${JSON.stringify(redactor(profile).json(content), null, 2)}\n`)
  await makeDirectory(dirname(file))
  // For its owner alone, even if the existing file was open to others.
  await writeWhole(`--out ${file}`, file, () => `${JSON.stringify(content, null, 2)}\n`, 0o600)
  io.out(
    `${file} is written${hasSecrets ? ', with its secrets; keep it out of the repository, unless they are those of a test tracker' : ''}\n`,
  )
  io.out(
    fromEnvironment
      ? 'The administrator token is not in this file: each command takes it from TRACKER_TOKEN\n'
      : 'The administrator token is in this file; to keep it out, give it to init in TRACKER_TOKEN\n',
  )
  const below = relative(process.cwd(), file).split(sep).join('/')
  const level = profile.safety === 'read' ? '' : ` --safety ${profile.safety}`
  const command = `npx tracker-kit check --profile ${shellWord(below.startsWith('../') ? file : below)}${level}`
  io.out(
    `Next, see what a check would do, and then run it. It tries each field first, and names those that the tracker refuses:\n  ${command} --plan\n  ${command} --out report\n`,
  )
}
