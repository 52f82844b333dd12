/** Measuring tools for all tables: interleaved rounds, medians, and programs in their own processes. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export function medianOf(values, of = (value) => value) {
  const sorted = values.map(of).toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Measures each subject once in each round, so that a slow phase of the machine affects all of them. Returns the
 * results by the name of the subject, in the order of the rounds.
 */
export async function interleaved(rounds, subjects, measure) {
  const results = new Map(subjects.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    // Every second round is reversed, so that no subject always follows the same heavy one.
    const order = round % 2 === 0 ? subjects : subjects.toReversed()
    for (const subject of order) results.get(subject.name).push(await measure(subject, round))
  }
  return results
}

/** The median of the ratios within each round. */
export const ratio = (values, others, of = (value) => value) =>
  medianOf(values.map((value, round) => of(value) / of(others[round])))

/** Runs Node with these arguments, and returns the JSON that it prints. */
export async function printed(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, args.map(String))
  return JSON.parse(stdout)
}

/** Runs one of the programs in a new process, where nothing is warm. */
export const child = (...args) => printed(fileURLToPath(new URL('programs.mjs', import.meta.url)), ...args)

/** The processor time of a process so far in milliseconds; NaN if the machine does not show it. */
export async function processorMsOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, user, system] = /\) \S+(?: \S+){10} (\d+) (\d+)/.exec(stat) ?? []
  // In ticks; Linux has 100 ticks per second.
  return (Number(user) + Number(system)) * 10
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return String(port)
}

/** The address of the extension at the kit. */
export const ROOT = '/api/rest/plugins/Ext'

/** Starts a server on a free port and waits for an answer; `ms` is the time from the start to the first one. */
export async function started({ args, headers }) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const begin = performance.now()
  const program = spawn(process.execPath, args(port), { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  program.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-2000)
  })
  const exited = once(program, 'exit')
  const stop = async () => {
    program.kill('SIGKILL')
    await exited
  }
  while (program.exitCode === null && performance.now() - begin < 60_000) {
    if ((await textAt(`${origin}${ROOT}/users/nina`, headers)) !== null)
      return { ms: performance.now() - begin, pid: program.pid, origin, stop }
    await delay(4)
  }
  program.kill('SIGKILL')
  throw new Error(`${args(port).join(' ')} does not answer at ${origin}: ${said}`)
}

/** The text of an answer; null if there is none. */
const textAt = (url, headers) =>
  fetch(url, { headers }).then(
    (response) => response.text(),
    () => null,
  )
