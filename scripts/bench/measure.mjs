/** What all tables are measured with: several rounds in turn, medians, programs in processes of their own. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

export const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Measures each subject once in each round, so that a machine that slows down slows down all of them. Gives what was
 * measured by the name of the subject, in the order of the rounds.
 */
export async function interleaved(rounds, subjects, measure) {
  const results = new Map(subjects.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    // The other way round each time, so that none is always the one after a heavy one.
    const order = round % 2 === 0 ? subjects : subjects.toReversed()
    for (const subject of order) results.get(subject.name).push(await measure(subject, round))
  }
  return results
}

/** The median of the ratios of what was measured in the same round. */
export const ratio = (values, others, of = (value) => value) =>
  median(values.map((value, round) => of(value) / of(others[round])))

export const medianOf = (values, of = (value) => value) => median(values.map(of))

/** Runs a script in a process of its own, where nothing is warm, and gives the JSON of its last line. */
export async function child(script, args = [], { flags = [], cwd, node = process.execPath, env = {} } = {}) {
  const { stdout } = await promisify(execFile)(node, [...flags, script, ...args.map(String)], {
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout.trim().split('\n').at(-1))
}

/** Milliseconds of processor time of a process so far; NaN where the machine does not tell. */
export async function processorMsOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, user, system] = /\) \S+(?: \S+){10} (\d+) (\d+)/.exec(stat) ?? []
  // In ticks, of which Linux has 100 a second.
  return (Number(user) + Number(system)) * 10
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a program and waits until it answers at `url`; milliseconds from the start to the first answer. */
export async function started({ command, args, cwd, env, url, headers = {} }) {
  const begin = performance.now()
  const program = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  program.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-2000)
  })
  const exited = once(program, 'exit')
  while (program.exitCode === null && performance.now() - begin < 60_000) {
    const status = await statusOf(url, headers)
    if (status !== null) {
      const ms = performance.now() - begin
      return {
        ms,
        status,
        pid: program.pid,
        async stop() {
          program.kill('SIGKILL')
          await exited
        },
      }
    }
    await delay(4)
  }
  program.kill('SIGKILL')
  throw new Error(`${command} ${args.join(' ')} does not answer at ${url}: ${said}`)
}

function statusOf(url, headers) {
  return new Promise((resolve) => {
    http
      .get(url, { headers, agent: false }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode))
      })
      .on('error', () => resolve(null))
  })
}
