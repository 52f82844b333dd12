/** `tracker-kit serve`: serves the emulator over HTTP until a signal ends it. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import type { ServerOptions } from '../../emulator/http/listen.js'
import type { DecisionInput, State, Tracker, TrackerServer } from '../../emulator/index.js'
import { readJsonObject } from '../client/files.js'
import { pathOf } from '../contract/operations.js'
import { UsageError } from '../contract/trouble.js'
import { checkWritable, codeOf, keepSaved, writeJson } from './files.js'
import { type Command, exitCodes, type FlagValues, integerOf } from './usage.js'

export const serve: Command = {
  about: 'Serves an emulated tracker over HTTP.',
  flags: {
    port: ['N', 'port, default 8787; 0 takes any free one', 0, 65_535],
    host: ['HOST', 'address to listen on, default 127.0.0.1'],
    seed: [
      'NAME|FILE',
      'starting state: small (the default, and the only one that is built in), or a JSON file with a whole state or a part of one',
    ],
    decisions: ['FILE', 'decisions that differ from the defaults, as JSON'],
    vary: ['N|JSON', 'draw the other decisions: 7 draws as vary --wild does, {"seed":7} as vary does'],
    ext: ['SEGMENT', 'extension path segment, default Ext'],
    now: [
      'ISO',
      "stop the clock at this instant until POST /__tracker/clock moves it; default the machine's clock",
    ],
    'profile-out': ['FILE', 'write a profile for tracker-kit check as soon as the emulator answers'],
    state: ['FILE', 'start from the state in FILE if it exists; save each change to it after 0.1 s'],
    'no-control': ['', 'serve no control plane, and so no inspector'],
    'end-with-stdin': ['', 'end when standard input ends: a killed parent then leaves no server behind'],
    open: ['', 'open the inspector in the browser'],
    verbose: ['', 'print a line for each request'],
  },
  examples: [
    'serve --open',
    'serve --port 0 --vary 7 --profile-out tracker.json',
    `serve --vary '{"seed":7,"only":["lists"]}'`,
    'serve --decisions learnt.json',
    'serve --now 2026-01-31T12:00:00Z',
  ],
  async run({ flags }, io) {
    const port = integerOf(flags, 'port', 8787)
    const { state: stateFile, 'profile-out': profileFile } = flags
    if (stateFile !== undefined) await checkWritable('state', stateFile)
    if (profileFile !== undefined) await checkWritable('profile-out', profileFile)

    const control = flags['no-control'] === undefined
    if (flags.open !== undefined && !control)
      throw new UsageError('--open needs the inspector; leave --no-control out')
    const made = await trackerOf(flags)
    const { tracker } = made
    const tell = (trouble: string) => io.err(`tracker-kit serve: ${trouble}\n`)
    const saved = stateFile === undefined ? null : keepSaved('state', stateFile, tracker.snapshot, tell)
    const server = await listening(tracker, {
      port,
      host: flags.host ?? '127.0.0.1',
      control,
      // Loaded on demand: the suite loads slowly, and few users run it here.
      async runSuite(copy, { signal, onProgress }) {
        const { checkCopy } = await import('./serve-suite.js')
        return checkCopy(copy, { signal: AbortSignal.any([signal, io.signal]), onProgress })
      },
      onAnswer(answered) {
        const { method, status, durationMs } = answered
        // Reads change only the last use of a token, which the next change or the end saves.
        if (method !== 'GET' && method !== 'HEAD') saved?.changed()
        if (flags.verbose !== undefined)
          io.err(`${method} ${answered.path()} ${status} ${durationMs.toFixed(1)} ms\n`)
      },
    })
    try {
      if (profileFile !== undefined)
        await writeJson('profile-out', profileFile, tracker.profileFor(server.url))
      io.out(await announcement(made, server, control))
      if (flags.open !== undefined) await openPage(`${server.origin}/__tracker/`, tell)
      const input = flags['end-with-stdin'] === undefined ? [] : [once(process.stdin.resume(), 'close')]
      if (!io.signal.aborted) await Promise.race([once(io.signal, 'abort'), ...input])
    } finally {
      if (flags['end-with-stdin'] !== undefined) process.stdin.destroy()
      await server.close()
    }
    await saved?.close()
    return exitCodes.ok
  },
}

/** Makes the tracker. `loaded` is the file with its starting state; `isWild` tells whether everything is drawn. */
async function trackerOf(flags: FlagValues) {
  // Loaded on demand, so that the other commands start without the emulator.
  const { createTracker } = await import('../../emulator/index.js')
  const { resolveDecisions, variationIn } = await import('../../emulator/decisions/index.js')
  const { seed = 'small', ext = 'Ext', vary, now, state: stateFile } = flags
  if (ext.includes('/')) throw new UsageError(`--ext takes one path segment, not "${ext}"`)
  const decisions = (
    flags.decisions === undefined ? {} : readJsonObject(`--decisions ${flags.decisions}`, flags.decisions)
  ) as DecisionInput
  await blaming(`--decisions ${flags.decisions}`, () => resolveDecisions(decisions))
  const isSaved = stateFile !== undefined && existsSync(stateFile)
  const saved = isSaved ? readJsonObject(`--state ${stateFile}`, stateFile) : null
  if (saved && !('schema' in saved))
    throw new UsageError(`--state ${stateFile}: Not a tracker's state: it has no "schema"`)
  const variation = vary === undefined ? null : await blaming('', () => variationIn(vary, '--vary'))
  // `Date` alone would read `2026-02-30` as a day in March.
  if (now !== undefined && !z.union([z.iso.datetime({ offset: true }), z.iso.date()]).safeParse(now).success)
    throw new UsageError(`--now takes a date, such as 2026-01-31T12:00:00Z, not "${now}"`)
  const options = {
    ...{ decisions, ext },
    ...(variation && { vary: variation }),
    ...(now === undefined ? {} : { now }),
    // The saved state becomes the starting state, so that its tokens are printed.
    seed: saved ? (saved as unknown as State) : seed,
  }
  const source = saved ? `--state ${stateFile}` : `--seed ${seed}`
  const tracker = await blaming(source, () => createTracker(options))
  return { tracker, loaded: saved ? (stateFile ?? null) : null, isWild: variation?.wild === true }
}

/** What went wrong becomes an error of use. Without a source, the message names it already. */
async function blaming<T>(source: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { message } = error as Error
    const isNamed = source === '' || message.startsWith('The seed file ')
    throw new UsageError(isNamed ? message : `${source}: ${message}`)
  }
}

async function listening(tracker: Tracker, options: ServerOptions): Promise<TrackerServer> {
  const { listen } = await import('../../emulator/http/listen.js')
  try {
    return await listen(tracker, options)
  } catch (error) {
    const inUse = codeOf((error as Error).cause) === 'EADDRINUSE' ? ' (--port)' : ''
    throw new UsageError(`${(error as Error).message}${inUse}`)
  }
}

type Made = Awaited<ReturnType<typeof trackerOf>>

async function announcement(made: Made, { url, origin }: TrackerServer, control: boolean): Promise<string> {
  const { tracker, loaded, isWild } = made
  const roles = Object.entries(tracker.tokens).filter(([, secret]) => secret !== '')
  const others = await tokensOfOthers(tracker)
  const tokens = [...roles, ...others.slice(0, MOST_OTHERS)]
  const width = Math.max(0, ...tokens.map(([role]) => role.length))
  // A quote is legal in a URL, but would end the shell's quotes.
  const example = url + pathOf('getAccountPage', tracker.ext).replaceAll("'", '%27')
  const lines = [
    `Base URL   ${url}`,
    ...(control ? [`Inspector  ${origin}/__tracker/`] : []),
    `Separate   ${origin}/i/NAME/api/rest: another tracker for each NAME, made on first use`,
    `Extension  ${tracker.ext}`,
    ...(tracker.vary === null ? [] : [`Vary       ${tracker.vary}${isWild ? ' (wild)' : ''}`]),
    ...(loaded === null ? [] : [`State      ${loaded}`]),
    '',
    'Tokens',
    ...tokens.map(([name, secret]) => `  ${name.padEnd(width)}  ${secret}`),
    ...(others.length > MOST_OTHERS ? [`  and of ${others.length - MOST_OTHERS} other users`] : []),
    '',
    `curl -H 'Authorization: Bearer ${tracker.tokens.administrator}' '${example}'`,
    '',
  ]
  return lines.join('\n')
}

const MOST_OTHERS = 20

/** Tokens, by username, that neither a role nor the default state has, such as those of a seed. */
async function tokensOfOthers({ db, tokens }: Tracker): Promise<(readonly [string, string])[]> {
  const { small } = await import('../../fixtures/seeds/small.js')
  const told = new Set<string>([...Object.values(tokens), ...small.tokens.map(({ secret }) => secret)])
  const others = db.tokens.rows.filter(({ secret, kind }) => kind === 'api' && !told.has(secret))
  return others.map(({ user_id, secret }) => [db.users.find('id', user_id)?.username ?? '', secret] as const)
}

/** Does not wait for the browser: some openers stay until it is closed. */
async function openPage(url: string, tell: (trouble: string) => void): Promise<void> {
  const { spawn } = await import('node:child_process')
  const opening = { darwin: ['open', url], win32: ['cmd', '/c', 'start', '', url] }
  const [program = '', ...args] = Reflect.get(opening, process.platform) ?? ['xdg-open', url]
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.on('error', ({ message }) => tell(`no browser was opened: ${message}`))
  child.unref()
}
