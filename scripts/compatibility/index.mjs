/**
 * Packs the kit as npm publishes it, installs it into empty projects, and uses it there like its users, under this Node,
 * with the supported versions of MSW, vitest, Jest and TypeScript. Prints a table, and exits with 1 if something does not
 * work.
 *
 *     node scripts/compatibility/index.mjs [--quick] [--node MAJOR] [--out FILE]
 *
 * `--quick`: only with the versions that the kit's own tests use, and without linters, Jest and recipes. `--node`: fails
 * under another Node, so that CI runs what it names.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from '../table.mjs'
import { alone, beside, browser, jest, linters, recipes, types } from './checks.mjs'
import { createProject, devDependencies, name, pack, version } from './project.mjs'

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, node: { type: 'string' }, out: { type: 'string' } },
})
const { node } = process.versions
if (values.node !== undefined && !node.startsWith(`${values.node}.`))
  throw new Error(`This is Node ${node}, not ${values.node}`)

const workshop = await mkdtemp(join(tmpdir(), `${name}-compatibility-`))
try {
  await main()
} finally {
  await rm(workshop, { recursive: true, force: true })
}

async function main() {
  const results = []
  const tarball = await pack(await createProject(workshop, 'package'))
  const { msw, vitest, typescript } = devDependencies
  const pairs = ['2.15', '3'].flatMap((one) => ['4', '5'].map((other) => ({ msw: one, vitest: other })))
  const setting = {
    workshop,
    tarball,
    pairs: values.quick ? [{ msw, vitest }] : pairs,
    compilers: values.quick ? [typescript] : ['5', '6', '7'],
  }
  const groups = [alone, beside, types, browser, ...(values.quick ? [] : [linters, jest, recipes])]
  for (const group of groups) for (const check of await group(setting)) results.push(await resultOf(check))

  const title = `${name} ${version} beside its neighbours, Node ${node}, ${new Date().toISOString().slice(0, 10)}`
  const text = markdown(title, results)
  console.log(`\n${text}`)
  if (values.out !== undefined) await writeFile(values.out, text)
  if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1
}

async function resultOf({ row, run, ruledOut }) {
  if (ruledOut !== undefined) return { row, outcome: 'ruled out', detail: ruledOut }
  const started = performance.now()
  const spent = () => `${((performance.now() - started) / 1000).toFixed(1)} s`
  try {
    const detail = (await run()) ?? ''
    console.error(`works, ${spent()}: ${row}`)
    return { row, outcome: 'works', detail }
  } catch (error) {
    console.error(`FAILED, ${spent()}: ${row}\n${error instanceof Error ? error.message : error}`)
    return { row, outcome: 'failed', detail: '' }
  }
}

/** The results for people. */
function markdown(title, results) {
  const rows = results.map(({ row, outcome, detail }) => [row, [outcome, detail].filter(Boolean).join(', ')])
  return [`# ${title}`, '', ...table(['', 'outcome'], rows), ''].join('\n')
}
