/** Flags and exit codes that all commands share. */
import { parseArgs } from 'node:util'
import { nearest } from '../contract/nearest.js'
import { UsageError } from '../contract/trouble.js'

export const exitCodes = { ok: 0, deviates: 1, usage: 2, unreachable: 3, cancelled: 130 } as const

export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'conforms, or done',
  deviates: 'the tracker deviates from the document or differs from the emulator; vary: your tests fail',
  usage: 'a wrong flag, profile or file, or no token',
  unreachable: 'the tracker cannot be reached, refuses the token, or gives no answer that can be judged',
  cancelled: 'cancelled; a second Ctrl-C does not wait for the clean-up',
}

/** The outputs of a command, its environment, and the signal to end. */
export interface Io {
  out(text: string): void
  err(text: string): void
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal
  /** Whether standard error is a terminal, so that a progress line may be redrawn. */
  readonly terminal: boolean
  /** The width of the terminal, if standard error is one. */
  readonly columns?: number | undefined
  /** Colours text for standard output or standard error, if that is a terminal and nothing forbids colours. */
  paint(colour: 'red' | 'green' | 'yellow', text: string, stream?: 'out' | 'err'): string
}

/** Output without progress and the like under `--quiet`. Mistakes and an unfinished clean-up are still printed. */
export const asideOf = (flags: FlagValues, io: Io): Io =>
  flags.quiet === undefined ? io : { ...io, terminal: false, err: () => undefined }

export const inGithubActions = ({ env }: Pick<Io, 'env'>): boolean => env.GITHUB_ACTIONS === 'true'

/**
 * The value of a flag in the help, such as `N` or `FILE`: `[FILE]` is optional, and `''` means no value. Then the help
 * text.
 */
type Flag = readonly [value: string, help: string]
export type Flags = Readonly<Record<string, Flag>>

export type FlagValues = Readonly<Record<string, string | undefined>>

interface Given {
  readonly flags: FlagValues
  readonly all: Readonly<Record<string, readonly string[]>>
  readonly positionals: readonly string[]
}

/** The flag that every command has. */
const help: Flag = ['', 'this text']

/**
 * Parses `--flag value` and `--flag=value`. The last value of a repeated flag counts, and `all` has every value. A flag
 * without a value has the value `''`.
 */
function parseFlags(command: string, argv: readonly string[], flags: Flags): Given {
  const options = Object.fromEntries(
    Object.entries({ ...flags, help }).map(([name, flag]) => [
      name,
      { type: flag[0] && !mayLackValue(flag) ? ('string' as const) : ('boolean' as const) },
    ]),
  )
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  })
  const values: Record<string, string> = {}
  const all: Record<string, string[]> = {}
  const positionals: string[] = []
  const keep = (name: string, value: string) => {
    values[name] = value
    all[name] = [...(all[name] ?? []), value]
  }
  // The flag that takes the next word as its value, if there is one.
  let open: string | null = null
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (open === null) positionals.push(token.value)
      else keep(open, token.value)
    }
    open = null
    if (token.kind !== 'option') continue
    const option = options[token.name]
    if (!option || !token.rawName.startsWith('--')) {
      const near = nearest(token.name, Object.keys(options))
      throw new UsageError(
        `${command}: unknown flag ${token.rawName}${near ? `; did you mean --${near}?` : `; see tracker-kit ${command} --help`}`,
      )
    }
    const value = token.value
    if (option.type === 'string') {
      if (value === undefined || value === '' || (!token.inlineValue && value.startsWith('--')))
        throw new UsageError(`${command}: --${token.name} needs a value`)
      keep(token.name, value)
    } else if (mayLackValue(flags[token.name])) {
      keep(token.name, value ?? '')
      if (value === undefined) open = token.name
    } else {
      if (value !== undefined) throw new UsageError(`${command}: --${token.name} takes no value`)
      keep(token.name, '')
    }
  }
  return { flags: values, all, positionals }
}

export interface Usage {
  readonly about: string
  readonly flags: Flags
  /** What follows the command in the help; without it, the command takes only flags. */
  readonly takes?: string
  /** Text below the help. */
  readonly more?: string
}

/** The arguments of a command; null if `--help` was given, which is then printed. */
export function givenTo(command: string, usage: Usage, argv: readonly string[], io: Io): Given | null {
  const given = parseFlags(command, argv, usage.flags)
  const [stray] = given.positionals
  if (given.flags.help !== undefined) io.out(helpText(command, usage))
  else if (usage.takes === undefined && stray !== undefined)
    throw new UsageError(`${command}: takes flags only, not "${stray}"; see tracker-kit ${command} --help`)
  else return given
  return null
}

const mayLackValue = (flag: Flag | undefined) => flag?.[0].startsWith('[') ?? false

/** The most likely uses of each command, for copying. */
const examples: Readonly<Record<string, readonly string[]>> = {
  init: ['init', 'init --base-url https://tracker.example/api/rest --user-id 5 --username reporter'],
  serve: [
    'serve --open',
    'serve --port 0 --vary 7 --profile-out tracker.json',
    `serve --vary '{"seed":7,"only":["lists"]}'`,
    'serve --decisions learnt.json',
    'serve --now 2026-01-31T12:00:00Z',
  ],
  check: [
    'check',
    'check --base-url https://tracker.example/api/rest --plan',
    'check --profile tracker.json --safety write --out report',
    'check --profile tracker.json --only getUser',
  ],
  judge: [
    'judge traffic.har',
    'judge report/trace.har --profile tracker.json --out judged',
    'judge e2e/*.har --base-url https://tracker.example/api/rest --only getUser',
  ],
  merge: ['merge shard-1 shard-2 --out report', 'merge shard-* --out report --strict'],
  sweep: ['sweep report/ledger.jsonl --profile tracker.json'],
  learn: ['learn --from traffic.har --out learnt.json', 'learn --profile tracker.json --out learnt.json'],
  diff: [
    'diff --from traffic.har --decisions learnt.json',
    'diff --profile tracker.json --decisions learnt.json --out diff.html',
  ],
  vary: ['vary --run "npm test"', 'vary --run "npm test" --seed 7 --keep rights,lists'],
  contract: ['contract requirements --markdown', 'contract openapi > openapi.json'],
}

function helpText(command: string, { about, flags, takes = '[flags]', more = '' }: Usage): string {
  const rows = Object.entries({ ...flags, help }).map(([name, [value, text]]) => [
    `  --${name} ${value}`,
    text,
  ])
  const width = Math.max(...rows.map(([left = '']) => left.trimEnd().length)) + 2
  const lines = [
    ...[`Usage: tracker-kit ${command} ${takes}`, '', about, ''],
    ...rows.map(([left = '', text]) => `${left.trimEnd().padEnd(width)}${text}`),
    ...['', 'Examples:', ...(examples[command] ?? []).map((example) => `  npx tracker-kit ${example}`)],
  ]
  return `${lines.join('\n')}\n${more}`
}

/** The value of an integer flag, within bounds, or its default. */
export function integerFlag(
  command: string,
  flags: FlagValues,
  name: string,
  { min, max, fallback }: { min: number; max: number; fallback: number },
): number {
  const text = flags[name]
  if (text === undefined) return fallback
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || value < min || value > max)
    throw new UsageError(`${command}: --${name} takes an integer from ${min} to ${max}, not "${text}"`)
  return value
}
