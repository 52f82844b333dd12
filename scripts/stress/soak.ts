/**
 * A long mixed load of all operations by clients at once. Each keeps a model of what it wrote and nobody else writes,
 * and now and then all of them stop and the emulator's whole state is compared with the models.
 */
import { type OperationId, operationIds } from '../../conformance/contract/index.js'
import type { State } from '../../emulator/index.js'
import { generator } from '../../emulator/random.js'
import { createClient } from './client.js'
import { startServe } from './program.js'
import { growth, inParallel, megabytes, type Result, type Settings } from './subject.js'
import { createWorker, type Worker } from './worker.js'

const CLIENTS = 12
const MOST_STOPS = 20
/** What the emulator keeps of calls, messages and sessions. */
const RING = 1000

export async function soak({ seed, count, tell }: Settings): Promise<Result> {
  const program = await startServe()
  const client = createClient(program.url, program.profile.tokens.administrator)
  const random = generator(seed)
  const troubles = new Set<string>()
  const marks: number[] = []
  const asked = new Map<OperationId, number>()
  const stops = Math.min(MOST_STOPS, Math.max(3, Math.floor(count / 1000)))
  const began = performance.now()
  const workers = Array.from(
    { length: CLIENTS },
    (_, index): Worker =>
      createWorker({
        index,
        profile: program.profile,
        random,
        trouble: (text) => void troubles.add(text),
        ask(id, options) {
          asked.set(id, (asked.get(id) ?? 0) + 1)
          return client.ask(id, options)
        },
      }),
  )
  const total = () => [...asked.values()].reduce((sum, one) => sum + one, 0)

  async function compare(): Promise<void> {
    const state = (await program.control('state')) as State
    for (const worker of workers) worker.compare(state)
    const left = state.recipients.length + workers.reduce((sum, { recipients }) => sum + recipients, 0)
    if (left !== (program.profile.recipients?.length ?? 0))
      troubles.add(`recipients left and deleted are ${left}`)
    const sizes = {
      journal: ((await program.control('journal')) as unknown[]).length,
      outbox: ((await program.control('outbox')) as unknown[]).length,
      violations: ((await program.control('violations')) as unknown[]).length,
      sessions: state.tokens.filter(({ kind }) => kind !== 'api').length,
    }
    for (const [name, size] of Object.entries(sizes)) if (size > RING) troubles.add(`${name}: ${size}`)
    marks.push(await program.memory())
    tell(`${total()} requests, ${megabytes(marks.at(-1) ?? 0)} MB, ${JSON.stringify(sizes)}`)
  }

  try {
    for (let stop = 0; stop < stops && program.runs; stop++) {
      const until = Math.ceil((count * (stop + 1)) / stops)
      await inParallel(CLIENTS, CLIENTS, async (index) => {
        while (total() < until) await workers[index]?.step()
      })
      await compare()
    }
    const missing = operationIds.filter((id) => !asked.has(id))
    if (missing.length > 0 && count >= 5000) troubles.add(`never asked: ${missing.join(', ')}`)
    // Only after a while is the journal full, and do the clients own as many things as they ever will.
    const grown = stops < MOST_STOPS ? null : growth(marks.slice(stops / 4), 8e6)
    if (grown !== null) troubles.add(grown)
    if (program.complaints !== '') troubles.add(`standard error: ${program.complaints.slice(0, 500)}`)
    const seconds = (performance.now() - began) / 1000
    return {
      figures: {
        requests: total(),
        clients: CLIENTS,
        operations: asked.size,
        seconds: Math.round(seconds),
        'requests a second': Math.round(total() / seconds),
        'comparisons of the whole state': marks.length,
        'memory at a quarter, a half, three quarters and the end, MB': [0.25, 0.5, 0.75, 1]
          .map((share) => megabytes(marks[Math.ceil(stops * share) - 1] ?? 0))
          .join(', '),
      },
      troubles: [...troubles].slice(0, 20),
    }
  } catch (error) {
    return { figures: { requests: total() }, troubles: [...troubles, String(error)] }
  } finally {
    client.close()
    await program.end('SIGTERM')
  }
}
