#!/usr/bin/env node
/** The program `tracker-kit`: runs the command, prints errors of use in one line, and sets the exit code. */
import { realpathSync } from 'node:fs'
import * as modules from 'node:module'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { nearest } from '../contract/nearest.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { followNpx } from './orphan.js'
import { type Command, exitCodes, exitMeanings, type Io, inGithubActions, runCommand } from './usage.js'

/** The purpose of each command and its module, loaded on demand, so that no command loads the packages of another. */
const commands: Readonly<Record<string, readonly [about: string, load: () => Promise<object>]>> = {
  init: ['write a profile of a tracker, testing each answer against it', () => import('./init.js')],
  serve: ['serve an emulated tracker over HTTP', () => import('./serve.js')],
  check: [
    'check a tracker, or the built-in emulator, against the documented interface',
    () => import('./check.js'),
  ],
  judge: [
    'judge recorded traffic (HAR) by the documented interface, and send nothing',
    () => import('./judge.js'),
  ],
  merge: ["make one report of the shards' reports", () => import('./merge.js')],
  sweep: ['remove what an interrupted run left on a tracker', () => import('./sweep.js')],
  learn: ['learn how a tracker behaves, so that an emulator behaves like it', () => import('./learn.js')],
  diff: ['show where a live tracker and an emulator differ', () => import('./diff.js')],
  vary: [
    'run your tests under other legal trackers, and find the decisions that break them',
    () => import('./vary.js'),
  ],
  contract: [
    'print the contract: openapi, requirements, decisions, profile or schemas',
    () => import('./contract.js'),
  ],
}

export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  // A signal is the usual end of a server.
  const isCancelled = () => io.signal.aborted && name !== 'serve'
  try {
    if (name === undefined || name === '--help' || name === 'help') {
      io.out(overview())
      return name === undefined ? exitCodes.usage : exitCodes.ok
    }
    if (name === '--version') {
      io.out(`${(await import('../contract/version.js')).version}\n`)
      return exitCodes.ok
    }
    if (!command) {
      const near = nearest(name, [...Object.keys(commands), '--help', '--version'])
      const hint = near ? `did you mean ${near}?` : `there are ${Object.keys(commands).join(', ')}`
      throw new UsageError(`has no command "${name}"; ${hint}`)
    }
    const [, load] = command
    // Each module exports its command under its name.
    const code = await runCommand(name, Reflect.get(await load(), name) as Command, rest, io)
    return isCancelled() ? exitCodes.cancelled : code
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof UnreachableError)) throw error
    const said = error.message.replace(/\s*\n\s*/g, ' ')
    const message = command ? `${name}: ${said}` : said
    io.err(`tracker-kit ${message}\n`)
    if (inGithubActions(io)) {
      const { workflowCommand } = await import('../report/github.js')
      io.out(workflowCommand('error', 'tracker-kit', message))
    }
    if (isCancelled()) return exitCodes.cancelled
    return error instanceof UsageError ? exitCodes.usage : exitCodes.unreachable
  }
}

function overview(): string {
  const rows = Object.entries(commands).map(([name, [about]]) => `  ${name.padEnd(10)}${about}`)
  const exits = Object.entries(exitCodes).map(
    ([name, code]) => `  ${String(code).padEnd(10)}${exitMeanings[name as keyof typeof exitCodes]}`,
  )
  return [
    'Usage: tracker-kit COMMAND [flags]',
    rows.join('\n'),
    'tracker-kit COMMAND --help shows the flags of a command.',
    `Exit codes:\n${exits.join('\n')}\n`,
  ].join('\n\n')
}

async function run(): Promise<void> {
  // Later starts use the compiled code. Node 20 has no such cache.
  const { enableCompileCache } = modules as { enableCompileCache?: () => void }
  enableCompileCache?.()
  // V8 optimizes early, and the time that this takes exceeds what a run of some seconds gains by it. Later releases lack the flag.
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000')
  const ending = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      // A second signal ends the program without the clean-up.
      if (ending.signal.aborted) process.exit(exitCodes.cancelled)
      ending.abort()
    })
  }
  followNpx(process.env, () => ending.abort())
  // A reader that stops early, such as head, is no failure.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  const io: Io = {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    env: process.env,
    signal: ending.signal,
    terminal: process.stderr.isTTY,
    // `styleText` obeys NO_COLOR and FORCE_COLOR.
    paint: (colour, text, stream) =>
      styleText(colour, text, { stream: stream === 'err' ? process.stderr : process.stdout }),
    get columns() {
      return process.stderr.columns
    },
  }
  process.exitCode = await main(process.argv.slice(2), io)
}

const started = process.argv[1]
if (started !== undefined && realpathSync(started) === fileURLToPath(import.meta.url)) await run()
