/**
 * Stress tests: long versions of tests that otherwise take seconds. Prints a table, and exits with 1 if something is
 * wrong.
 *
 *   npm run stress -- [--only hostile,killed] [--requests N] [--seed N]
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { table } from '../conformance/report/words.js'
import { hostile } from './stress/hostile.js'
import { killed } from './stress/killed.js'
import { secrets } from './stress/secrets.js'
import type { Result, Subject } from './stress/subject.js'

const subjects: Readonly<Record<string, Subject>> = {
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
const results: (Result & { name: string; about: string })[] = []
for (const name of names) {
  const { about, count, run } = subjects[name] as Subject
  console.error(`${name}: ${about}, seed ${seed}`)
  const tell = (text: string) => console.error(`  ${text}`)
  const result = await run({ seed, count: Number(values.requests ?? count), tell })
  for (const trouble of result.troubles.slice(0, 20)) console.error(`  WRONG: ${trouble}`)
  results.push({ name, about, ...result })
}

const lines = [
  `Node ${process.version}, ${cpus().length} cores, seed ${seed}`,
  ...results.flatMap(({ name, about, figures, troubles }) => [
    '',
    `### ${name}: ${about}`,
    '',
    ...table(
      ['figure', 'value'],
      Object.entries({ ...figures, 'what was wrong': troubles.slice(0, 20).join('; ') || 'nothing' }).map(
        ([key, value]) => [key, String(value)],
      ),
      ['value'],
    ),
  ]),
]
console.log(`${lines.join('\n')}\n`)
process.exitCode = results.some(({ troubles }) => troubles.length > 0) ? 1 : 0
