/** Requests that no client should send, and another client that they must not affect. */
import { connect } from 'node:net'
import { generator } from '../../emulator/random.js'
import { clientOf } from '../../fixtures/client.js'
import { type Attack, attackOf } from './attacks.js'
import { type Program, startServe } from './program.js'
import { inParallel, megabytes, percentile, type Result, type Settings } from './subject.js'

const ATTACKERS = 24
/** The size of the journal varies by this many bytes, since it may contain bodies of 1 MiB. */
const JOURNAL = 40e6
/** Longer than every timeout of the server. */
const PATIENCE_MS = 45_000

export async function hostile({ seed, count, tell }: Settings): Promise<Result> {
  const program = await startServe()
  const random = generator(seed)
  const troubles = new Set<string>()
  const statuses: Record<string, number> = {}
  const marks: number[] = []
  const bystander = startBystander(program)
  const began = performance.now()
  let done = 0

  async function strike(): Promise<void> {
    const attack = attackOf(random, program.profile)
    const received = await send(program, attack)
    done += 1
    if (received === null) troubles.add(`${attack.kind}: the connection never ended`)
    for (const [, status = ''] of (received ?? '').matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) {
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status.startsWith('5'))
        troubles.add(`${attack.kind}: ${/"message":"[^"]*"/.exec(received ?? '')?.[0] ?? status}`)
    }
    if (attack.after === 'wait' && received === '') troubles.add(`${attack.kind}: no answer`)
  }

  try {
    // Memory is measured after each quarter: filling the journal and compiling code are no leaks.
    const quarter = Math.ceil(count / 4)
    for (let part = 0; part < 4; part++) {
      await inParallel(ATTACKERS, Math.min(quarter, count - part * quarter), strike)
      if (!program.runs) break
      marks.push(await program.memory())
      tell(`${done} attacks, ${megabytes(marks.at(-1) ?? 0)} MB`)
    }
    const seconds = (performance.now() - began) / 1000
    const { asked, wrong, times } = await bystander.stop()
    for (const text of wrong) troubles.add(`the bystander: ${text}`)
    const [first = 0] = marks
    const last = marks.at(-1) ?? 0
    if (!program.runs) troubles.add('the emulator ended')
    else if (last > first * 1.2 + JOURNAL)
      troubles.add(`memory grew from ${megabytes(first)} MB to ${megabytes(last)} MB`)
    if (program.complaints !== '') troubles.add(`standard error: ${program.complaints.slice(0, 500)}`)
    return {
      figures: {
        requests: done,
        seconds: Math.round(seconds),
        'answers by status': Object.entries(statuses)
          .map(([status, number]) => `${status}: ${number}`)
          .join(', '),
        'memory at the quarters, MB': marks.map(megabytes).join(', '),
        'requests of the bystander': asked,
        'its median, ms': percentile(times, 0.5),
        'its 99th percentile, ms': percentile(times, 0.99),
        'its longest, ms': percentile(times, 1),
      },
      troubles: [...troubles],
    }
  } finally {
    await bystander.stop()
    await program.end('SIGTERM')
  }
}

/** All data until the connection ended; null if it did not end in time. */
function send({ origin }: Program, { parts, after }: Attack): Promise<string | null> {
  const { hostname: host, port } = new URL(origin)
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), allowHalfOpen: after === 'wait', noDelay: true })
    let received = ''
    const patience = setTimeout(() => {
      socket.destroy()
      resolve(null)
    }, PATIENCE_MS)
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk
    })
    // A server that refuses a request may close the connection while the client still writes.
    socket.on('error', () => undefined)
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      clearTimeout(patience)
      resolve(received)
    })
    socket.on('connect', () => void write())
    async function write() {
      for (const part of parts) {
        await new Promise((written) => socket.write(part, written))
        if (parts.length > 3) await new Promise((pause) => setTimeout(pause, 5))
      }
      if (after === 'end') socket.end()
      // Ends with a reset, like a killed client, so that the port is free again.
      if (after === 'leave') socket.resetAndDestroy()
    }
  })
}

/** Writes and reads in turn, and expects the same service as without the attacks. */
function startBystander({ url, profile }: Program) {
  const ask = clientOf({ fetch, baseUrl: url, ext: 'Ext', tokens: profile.tokens })
  const wrong: string[] = []
  const times: number[] = []
  let asked = 0
  let stopped = false
  const path = { user_id: 'viewer' }

  async function goOn(): Promise<void> {
    while (!stopped) {
      const realname = `Bystander ${asked}`
      const started = performance.now()
      const { status } = await ask('updateUser', { path, body: { realname } })
      const { json } = await ask('getUser', { path })
      times.push((performance.now() - started) / 2)
      asked += 2
      const read = json?.users?.[0]?.real_name
      if (status !== 200 || read !== realname) wrong.push(`${status}, read ${read} after writing ${realname}`)
    }
  }
  const ended = goOn().catch((error: Error) => void wrong.push(`no answer: ${error.message}`))
  return {
    async stop() {
      stopped = true
      await ended
      return { asked, wrong: wrong.slice(0, 5), times }
    },
  }
}
