#!/usr/bin/env node
/**
 * Measures the speed of the kit and of alternatives. Every figure with a limit is a ratio of alternating measurements
 * within one run, so that it is valid on any machine.
 *
 *   npm run bench -- [--only NAME]... [--peers DIR] [--dist DIR]
 *
 * The tables, by name: state, fetch, http, start, growth. The programs that http and start need are installed into
 * `--peers` and kept there, otherwise into a temporary folder. `--dist` measures another build.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from '../table.mjs'
import { http, start } from './servers.mjs'
import { fetch, growth, state } from './tables.mjs'

const all = [state, fetch, http, start, growth]
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    peers: { type: 'string' },
    dist: { type: 'string', default: 'dist' },
  },
})
const unknown = values.only?.find((wanted) => !all.some(({ name }) => name === wanted))
if (unknown !== undefined) {
  console.error(`bench: no table is called "${unknown}"; there is ${all.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const scratch = await mkdtemp(join(tmpdir(), 'tracker-kit-bench-'))
try {
  const context = { dist: resolve(values.dist), peersIn: resolve(values.peers ?? scratch), scratch }
  const tables = []
  for (const run of all.filter(({ name }) => values.only?.includes(name) ?? true)) {
    const begin = performance.now()
    try {
      tables.push(markdownOf(await run(context)))
    } catch (error) {
      // The other tables are measured and reported nevertheless.
      console.error(`${run.name} could not be measured:`, error)
      process.exitCode = 1
    }
    console.error(`${run.name}: ${((performance.now() - begin) / 1000).toFixed(0)} s`)
  }
  const machine = `Node ${process.version}, ${cpus().length} cores`
  console.log([`Measured with ${machine}. Medians of runs in turn.`, ...tables].join('\n\n'))
} finally {
  await rm(scratch, { recursive: true, force: true })
}

function markdownOf({ title, columns, rows, notes = [], aims }) {
  const told = [...notes.flatMap((note) => ['', note]), '', ...aims.map((aim) => `- ${aimText(aim)}`)]
  return [`### ${title}`, '', ...table(columns, rows, true), ...told].join('\n')
}

function aimText({ what, value, atLeast, atMost, unit = '' }) {
  const met = atLeast === undefined ? value <= atMost : value >= atLeast
  const wanted = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`
  const digits = value < 10 ? 2 : 0
  return `${what}: ${value.toFixed(digits)}${unit} (${wanted}${unit}: ${met ? 'met' : '**missed**'})`
}
