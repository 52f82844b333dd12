/** `tracker-kit serve`: the emulator over HTTP until it is told to end. */
import type { DecisionInput, State, Tracker, TrackerServer } from '../../emulator/index.js'
import { pathOf } from '../contract/operations.js'
import { checkWritable, codeOf, readJsonObject, writeJson } from './serve-files.js'
import {
  exitCodes,
  type Flag,
  type FlagValues,
  helpText,
  type Io,
  integerFlag,
  nearest,
  parseFlags,
  UsageError,
} from './usage.js'

export const serveFlags: Readonly<Record<string, Flag>> = {
  port: { value: 'N', help: 'port, default 8787; 0 takes any free one' },
  host: { value: 'HOST', help: 'address to listen on, default 127.0.0.1' },
  seed: { value: 'NAME|FILE', help: 'starting state: a built-in one (default small) or a JSON file' },
  decisions: { value: 'FILE', help: 'decisions that differ from the defaults, as JSON' },
  vary: { value: 'N', help: 'draw all other decisions from their legal values, by this number' },
  ext: { value: 'SEGMENT', help: 'extension path segment, default Ext' },
  'profile-out': { value: 'FILE', help: 'write a profile for tracker-kit check, once the emulator answers' },
  state: { value: 'FILE', help: 'start from this state if the file is there; save the state to it at exit' },
  verbose: { help: 'a line for each request' },
  help: { help: 'this text' },
}

export async function serve(argv: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags('serve', argv, serveFlags)
  if (flags.help !== undefined) {
    io.out(helpText('tracker-kit serve [flags]', 'Serves an emulated tracker over HTTP.', serveFlags))
    return exitCodes.ok
  }
  if (positionals.length > 0)
    throw new UsageError(`serve: takes flags only, not "${positionals[0]}"; see tracker-kit serve --help`)
  const port = integerFlag('serve', flags, 'port', { min: 0, max: 65_535, fallback: 8787 })
  const stateFile = flags.state
  const profileFile = flags['profile-out']
  if (stateFile !== undefined) await checkWritable('state', stateFile)
  if (profileFile !== undefined) await checkWritable('profile-out', profileFile)

  const { tracker, loaded } = await trackerOf(flags)
  const server = await listening(tracker, port, flags, io)
  try {
    if (profileFile !== undefined) await writeJson('profile-out', profileFile, tracker.profileFor(server.url))
    io.out(announcement(tracker, server, loaded))
    await aborted(io.signal)
  } finally {
    await server.close()
  }
  if (stateFile !== undefined) await writeJson('state', stateFile, tracker.snapshot())
  return exitCodes.ok
}

interface Started {
  readonly tracker: Tracker
  /** Where the starting state is from, in words. */
  readonly loaded: string | null
}

async function trackerOf(flags: FlagValues): Promise<Started> {
  // On demand, so that the other commands start without it.
  const { createTracker } = await import('../../emulator/index.js')
  const { resolveDecisions } = await import('../../emulator/decisions/index.js')
  const ext = flags.ext ?? 'Ext'
  if (ext.includes('/')) throw new UsageError(`serve: --ext takes one path segment, not "${ext}"`)
  const vary =
    flags.vary === undefined
      ? undefined
      : integerFlag('serve', flags, 'vary', { min: 0, max: 2 ** 32 - 1, fallback: 0 })
  const decisions = (
    flags.decisions === undefined ? {} : await readJsonObject('decisions', flags.decisions)
  ) as DecisionInput
  blaming(`--decisions ${flags.decisions}`, () => resolveDecisions(decisions, vary))
  const seed = await seedOf(flags.seed ?? 'small')
  const saved = flags.state === undefined ? null : await readJsonObject('state', flags.state, true)
  const options = { decisions, ext, ...(vary === undefined ? {} : { vary }) }
  try {
    // As the starting state, not restored into another: its tokens are then the ones to tell.
    const tracker = await createTracker({ ...options, seed: saved ? (saved as unknown as State) : seed })
    return { tracker, loaded: saved ? (flags.state ?? null) : null }
  } catch (error) {
    const source = saved ? `--state ${flags.state}` : `--seed ${flags.seed}`
    throw new UsageError(`serve: ${source}: ${(error as Error).message}`)
  }
}

async function seedOf(seed: string): Promise<string | State> {
  const { seeds } = await import('../../emulator/index.js')
  const names = Object.keys(seeds)
  if (names.includes(seed)) return seed
  const asFile = /[/\\.]/.test(seed)
  const state = await readJsonObject('seed', seed, !asFile)
  if (state) return state as unknown as State
  const near = nearest(seed, names)
  const hint = near ? `did you mean "${near}"?` : `there is ${names.join(', ')}, or name a JSON file`
  throw new UsageError(`serve: --seed: no starting state is called "${seed}"; ${hint}`)
}

function blaming<T>(source: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new UsageError(`serve: ${source}: ${(error as Error).message}`)
  }
}

async function listening(
  tracker: Tracker,
  port: number,
  { host = '127.0.0.1', verbose }: FlagValues,
  io: Io,
): Promise<TrackerServer> {
  const { listen } = await import('../../emulator/http/listen.js')
  try {
    return await listen(tracker, {
      port,
      host,
      ...(verbose === undefined
        ? {}
        : {
            onAnswer: ({ method, path, status, durationMs }) =>
              io.err(`${method} ${path} ${status} ${durationMs.toFixed(1)} ms\n`),
          }),
    })
  } catch (error) {
    const inUse = codeOf((error as Error).cause) === 'EADDRINUSE' ? ' (--port)' : ''
    throw new UsageError(`serve: ${(error as Error).message}${inUse}`)
  }
}

function announcement(tracker: Tracker, { url, origin }: TrackerServer, loaded: string | null): string {
  const tokens = Object.entries(tracker.tokens).filter(([, secret]) => secret !== '')
  const width = Math.max(0, ...tokens.map(([role]) => role.length))
  // A quote is legal in a URL, but would end the shell's.
  const example = url + pathOf('getAccountPage', tracker.ext).replaceAll("'", '%27')
  const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\]):/.test(origin)
  const lines = [
    `Base URL   ${url}`,
    `Inspector  ${origin}/__tracker/${loopback ? '' : '  (answers at loopback names only)'}`,
    `Extension  ${tracker.ext}`,
    ...(tracker.vary === null ? [] : [`Vary       ${tracker.vary}`]),
    ...(loaded === null ? [] : [`State      ${loaded}`]),
    '',
    'Tokens',
    ...tokens.map(([role, secret]) => `  ${role.padEnd(width)}  ${secret}`),
    '',
    `curl -H 'Authorization: Bearer ${tracker.tokens.administrator}' '${example}'`,
    '',
  ]
  return `${lines.join('\n')}`
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
