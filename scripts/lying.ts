/**
 * Runs the kit on trackers that lie, and reports what it harmed: every lie, at every level, with every command that
 * writes. Exits with 1 if the kit changed foreign things, left something unreported, or wrote a secret.
 *
 *   npm run lying -- [--only LIE[,LIE]] [--level LEVEL] [--command NAME] [--out FILE]
 *
 * `--command sweep` ends a check early and sweeps its ledger twice. `--out` writes all results as JSON.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { safetyLevels } from '../conformance/contract/index.js'
import { bounded, table } from '../conformance/report/words.js'
import { lyingTrackers } from '../fixtures/lying/index.js'
import { commands, type Result, runTask, type Task } from '../fixtures/lying/run.js'
import { inThreads, workInThread } from './in-threads.js'

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { only: text, level: text, command: text, out: text } })
const THREADS = 2

function tasks(): Task[] {
  const isWanted = (flag: 'only' | 'level' | 'command') => (one: string) =>
    values[flag]?.split(',').includes(one) ?? true
  const kinds = safetyLevels
    .filter(isWanted('level'))
    .flatMap((safety) =>
      commands.filter(isWanted('command')).map((command) => ({ safety, command, runs: 10, requests: 400 })),
    )
  const trackers = lyingTrackers.filter(({ id }) => isWanted('only')(id))
  return trackers.flatMap((tracker) => kinds.map((kind): Task => ({ tracker, ...kind })))
}

const SHOWN = 3

/** Each run that went wrong, and in which ways. */
function tableOf(results: readonly Result[]): string {
  const rows = results.flatMap(({ tracker, safety, command, wrong, exits }) => {
    return [...new Set(wrong.map(({ what }) => what))].map((kind) => {
      const all = wrong.filter(({ what }) => what === kind)
      const texts = all.map(({ about, by }) => (by === undefined ? about : `${about} by ${by}`))
      const details = bounded(texts, SHOWN).join('; ').replaceAll('\n', ' ')
      return [tracker, safety, command, exits.join(' '), kind, details]
    })
  })
  return table(['tracker', 'level', 'command', 'exit', 'what', 'details'], rows)
}

async function run(): Promise<number> {
  const { out } = values
  const total = tasks().length
  if (total === 0) throw new RangeError('no run has these values of --only, --level and --command')
  const results = await inThreads<Result>(import.meta.url, THREADS, total)
  if (out !== undefined) writeFileSync(out, JSON.stringify(results, null, 2))
  const wrong = results.filter((result) => result.wrong.length > 0)
  if (wrong.length > 0) console.log(`${tableOf(wrong)}\n`)
  console.log(`${wrong.length} of ${results.length} runs went wrong.`)
  return wrong.length === 0 && results.length === total ? 0 : 1
}

if (isMainThread) process.exitCode = await run()
else {
  await workInThread(tasks().map((task) => () => runTask(task)))
  // A request without an answer would keep the thread running.
  process.exit()
}
