/**
 * Kills `serve --state FILE` while it works: the file must always contain a complete state, including what was
 * acknowledged some time before.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTracker, type State } from '../../emulator/index.js'
import { generator } from '../../emulator/random.js'
import { clientOf } from '../../fixtures/client.js'
import { type Program, startServe } from './program.js'
import { inParallel, percentile, type Result, type Settings } from './subject.js'

const WRITERS = 6
/** The longest time before the kill. The file is written about every 100 ms. */
const LONGEST_MS = 700
/** The number of starts from one state file: its state grows, which makes later moments different. */
const ROUNDS = 10

/** The creation of a user with a language and a mail, or of a field that is linked to three projects. */
interface Write {
  readonly kind: 'user' | 'field'
  readonly name: string
  readonly sent: number
  /** Null while there is no answer. */
  acknowledged: number | null
}

export async function killed({ seed, count, tell }: Settings): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'tracker-kit-killed-'))
  const random = generator(seed)
  const troubles = new Set<string>()
  const lost: number[] = []
  let acknowledged = 0
  let ages: number[] = []
  try {
    for (let round = 0; round < count; round++) {
      const file = join(directory, `state-${Math.floor(round / ROUNDS)}.json`)
      const before = await stateIn(file)
      const found = await moment(await startServe('--state', file), round, random() * LONGEST_MS)
      const after = await stateIn(file)
      const { missing, halves } = compare(after ?? before, found.writes)
      for (const half of halves) troubles.add(`round ${round}: ${half}`)
      if (after)
        await createTracker({ seed: after }).catch((error) =>
          troubles.add(`round ${round}: ${error.message}`),
        )
      if (before && !contains(after, before)) troubles.add(`round ${round}: what was saved before is gone`)
      acknowledged += found.writes.filter((write) => write.acknowledged !== null).length
      lost.push(missing.length)
      ages = ages.concat(missing.map((write) => found.killed - (write.acknowledged ?? 0)))
      if ((round + 1) % 20 === 0) tell(`${round + 1} moments, ${acknowledged} writes acknowledged`)
    }
    const stray = (await readdir(directory)).filter((name) => name.endsWith('.tmp'))
    // The last program for each state file may have left a temporary file.
    if (stray.length > Math.ceil(count / ROUNDS)) troubles.add(`${stray.length} temporary files are left`)
  } catch (error) {
    troubles.add(String(error))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  return {
    figures: {
      moments: count,
      'writes acknowledged': acknowledged,
      'of them lost, in all': ages.length,
      'lost at a moment, median': percentile(lost, 0.5),
      'age of a lost write at the kill, median, ms': percentile(ages, 0.5),
      'age of the oldest lost write, ms': percentile(ages, 1),
    },
    troubles: [...troubles].slice(0, 20),
  }
}

/** Writes until the program is killed. */
async function moment(program: Program, round: number, afterMs: number) {
  const ask = clientOf({ fetch, baseUrl: program.url, ext: 'Ext', tokens: program.profile.tokens })
  const writes: Write[] = []
  let over = false
  const writing = inParallel(WRITERS, WRITERS, async (writer) => {
    for (let n = 0; !over; n++) {
      const kind = (n + writer) % 2 === 0 ? 'user' : 'field'
      const name = `${kind}-${round}-${writer}-${n}`
      const write: Write = { kind, name, sent: performance.now(), acknowledged: null }
      writes.push(write)
      const user = { username: name, email: `${name}@example.org`, language: 'german' }
      const field = { custom_field: { name }, projects: program.profile.projects }
      const answer =
        kind === 'user' ? ask('createUser', { body: user }) : ask('createCustomField', { body: field })
      const status = await answer.then((told) => told.status).catch(() => 0)
      if (status === 0) return
      if (status !== 200) throw new Error(`${name}: ${status}`)
      write.acknowledged = performance.now()
    }
  })
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  const killed = performance.now()
  await program.end('SIGKILL')
  over = true
  await writing
  return { writes, killed }
}

/** Null if there is no file yet. Rejects if it is not JSON. */
async function stateIn(file: string): Promise<State | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as State)
}

/** The acknowledged writes that are missing. Also notes partial writes, and later writes without an earlier one. */
function compare(state: State | null, writes: readonly Write[]) {
  const halves: string[] = []
  const present = (write: Write): boolean => {
    const parts = state ? partsOf(state, write) : []
    if (parts.some(Boolean) && !parts.every(Boolean)) halves.push(`half of ${write.name}: ${parts}`)
    return parts.length > 0 && parts.every(Boolean)
  }
  const missing = writes.filter((write) => !present(write) && write.acknowledged !== null)
  const [first] = missing.toSorted((a, b) => (a.acknowledged ?? 0) - (b.acknowledged ?? 0))
  const later = writes.find((write) => first && write.sent > (first.acknowledged ?? 0) && present(write))
  if (first && later) halves.push(`${later.name} is there, and ${first.name}, acknowledged before it, is not`)
  return { missing, halves }
}

function partsOf(state: State, { kind, name }: Write): boolean[] {
  if (kind === 'user') {
    const user = state.users.find(({ username }) => username === name)
    const owned = (row: { readonly user_id: number }) => row.user_id === user?.id
    return [user !== undefined, state.userSettings.some(owned), state.notifications.some(owned)]
  }
  const field = state.customFields.find((one) => one.name === name)
  const links = state.customFieldLinks.filter(({ field_id }) => field_id === field?.id)
  return [
    field !== undefined,
    ...state.projects
      .filter(({ enabled }) => enabled)
      .map(({ id }) => links.some(({ project_id }) => project_id === id)),
  ]
}

const contains = (after: State | null, before: State) =>
  before.users.every(({ id }) => after?.users.some((user) => user.id === id))
