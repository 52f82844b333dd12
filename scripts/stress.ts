/**
 * Stress tests: long versions of tests that otherwise take seconds. Prints a table of each, and exits with 1 if something
 * is wrong.
 *
 *   npm run stress -- [--only hostile,killed] [--requests N] [--seed N]
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { table } from '../conformance/report/words.js'
import { hostile } from './stress/hostile.js'
import { killed } from './stress/killed.js'
import { secrets } from './stress/secrets.js'

const subjects = {
  hostile: { about: 'hostile requests over raw sockets', count: 100_000, run: hostile },
  killed: { about: '`serve --state` killed while it is at work', count: 200, run: killed },
  secrets: { about: 'planted secrets, and every place that should not hold them', count: 20, run: secrets },
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    requests: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const names = values.only?.split(',') ?? Object.keys(subjects)
const unknown = names.find((name) => !Object.hasOwn(subjects, name))
if (unknown !== undefined) {
  console.error(`There is no subject "${unknown}", only ${Object.keys(subjects).join(', ')}`)
  process.exit(2)
}

const seed = Number(values.seed)
console.log(`Node ${process.version}, ${cpus().length} cores, seed ${seed}`)
for (const name of names) {
  const { about, count, run } = subjects[name as keyof typeof subjects]
  console.error(`${name}: ${about}`)
  const tell = (text: string) => console.error(`  ${text}`)
  const { figures, troubles } = await run({ seed, count: Number(values.requests ?? count), tell })
  for (const trouble of troubles.slice(0, 20)) console.error(`  WRONG: ${trouble}`)
  const wrong = troubles.slice(0, 20).join('; ') || 'nothing'
  const rows = Object.entries({ ...figures, 'what was wrong': wrong }).map((row) => row.map(String))
  console.log(`\n### ${name}: ${about}\n\n${table(['figure', 'value'], rows, ['value'])}`)
  if (troubles.length > 0) process.exitCode = 1
}
