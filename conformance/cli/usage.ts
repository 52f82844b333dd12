/** Flags and exit codes that all commands share. */
import { nearest } from '../contract/nearest.js'
import { UsageError } from '../contract/trouble.js'

export const exitCodes = { ok: 0, deviates: 1, usage: 2, unreachable: 3, cancelled: 130 } as const

export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'conforms, or done',
  deviates:
    'the tracker deviates from the document; diff: a status differs, or less agrees than --min-agreement; vary: your tests fail',
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

/** The value of a flag in the help, as `N` or `FILE`, `''` for none; the help text; the bounds of an integer. */
type Flag = readonly [value: string, help: string, min?: number, max?: number]
export type Flags = Readonly<Record<string, Flag>>

export type FlagValues = Readonly<Record<string, string | undefined>>

export interface Given {
  readonly flags: FlagValues
  readonly all: Readonly<Record<string, readonly string[]>>
  readonly positionals: readonly string[]
}

/** The flag that every command has. */
const help: Flag = ['', 'this text']

/** Parses `--flag value` and `--flag=value`: the last value counts, `all` has each, and a flag without a value has `''`. */
function parseFlags(argv: readonly string[], flags: Flags): Given {
  const known: Flags = { ...flags, help }
  const values: Record<string, string> = {}
  const all: Record<string, string[]> = {}
  const positionals: string[] = []
  const words = [...argv]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!/^-./.test(word)) {
      positionals.push(word)
      continue
    }
    const [, raw = '', name = '', inline] = /^(--?([^=]*))(?:=(.*))?$/s.exec(word) ?? []
    const flag = raw.startsWith('--') && Object.hasOwn(known, name) ? known[name] : undefined
    if (!flag) {
      const near = nearest(name, Object.keys(known))
      const hint = near ? `did you mean --${near}?` : '--help shows those of this command'
      throw new UsageError(`unknown flag ${raw}; ${hint}`)
    }
    const [form, , min, max = min] = flag
    if (form === '' && inline !== undefined) throw new UsageError(`--${name} takes no value`)
    const isNext = form !== '' && inline === undefined && words[0]?.startsWith('--') === false
    const value = (isNext ? words.shift() : inline) ?? ''
    if (value === '' && form !== '') throw new UsageError(`--${name} needs a value`)
    if (min !== undefined && max !== undefined && !isInteger(value, min, max))
      throw new UsageError(`--${name} takes an integer from ${min} to ${max}, not "${value}"`)
    values[name] = value
    all[name] = [...(all[name] ?? []), value]
  }
  return { flags: values, all, positionals }
}

export interface Command {
  readonly about: string
  readonly flags: Flags
  /** What follows the command in the help; without it, the command takes only flags. */
  readonly takes?: string
  /** The most likely uses, for copying. */
  readonly examples: readonly string[]
  /** Returns the exit code. */
  run(given: Given, io: Io): Promise<number>
}

/** Runs a command, or prints its help. Throws a `UsageError` if a flag is wrong. */
export async function runCommand(name: string, command: Command, argv: readonly string[], io: Io) {
  const given = parseFlags(argv, command.flags)
  const [stray] = given.positionals
  if (given.flags.help !== undefined) {
    io.out(helpText(name, command))
    return exitCodes.ok
  }
  if (command.takes === undefined && stray !== undefined)
    throw new UsageError(`takes flags only, not "${stray}"; --help shows them`)
  return command.run(given, io)
}

function helpText(name: string, { about, flags, takes = '[flags]', examples }: Command): string {
  const rows = Object.entries({ ...flags, help }).map(([flag, [form, text]]) => [`  --${flag} ${form}`, text])
  const width = Math.max(...rows.map(([left = '']) => left.trimEnd().length)) + 2
  const lines = [
    ...[`Usage: tracker-kit ${name} ${takes}`, '', about, ''],
    ...rows.map(([left = '', text]) => `${left.trimEnd().padEnd(width)}${text}`),
    ...['', 'Examples:', ...examples.map((example) => `  npx tracker-kit ${example}`)],
  ]
  return `${lines.join('\n')}\n`
}

const isInteger = (text: string, min: number, max: number) =>
  /^-?\d+$/.test(text) && Number(text) >= min && Number(text) <= max

/** The value of an integer flag, or its default. */
export const integerOf = (flags: FlagValues, name: string, fallback: number): number =>
  Number(flags[name] ?? fallback)
