/**
 * Packs the kit as npm publishes it, installs it into empty projects, and uses it there like its users, with the
 * supported versions of Node, MSW, vitest, Jest and TypeScript. Prints a table, and exits with 1 if something does not
 * work.
 *
 *     node scripts/compatibility/index.mjs [--quick] [--node 20,22,24,26] [--out FILE]
 *
 * `--quick`: only under this Node, with the versions that the kit's own tests use, and without linters, Jest and recipes.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from '../table.mjs'
import { alone, beside, browser, jest, linters, recipes, types } from './checks.mjs'
import { createProject, devDependencies, name, nodeOf, pack, thisNode, version } from './project.mjs'

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, node: { type: 'string' }, out: { type: 'string' } },
})
const majors = values.node?.split(',').map(Number) ?? (values.quick ? [thisNode().major] : [20, 22, 24, 26])

const workshop = await mkdtemp(join(tmpdir(), `${name}-compatibility-`))
try {
  await main()
} finally {
  await rm(workshop, { recursive: true, force: true })
}

async function main() {
  const results = []
  const tarball = await pack(await createProject(workshop, 'package'))
  const nodes = []
  for (const major of majors) nodes.push(await nodeOf(workshop, major))
  const { msw, vitest, typescript } = devDependencies
  const pairs = ['2.15', '3'].flatMap((one) => ['4', '5'].map((other) => ({ msw: one, vitest: other })))
  const setting = {
    ...{ workshop, tarball, nodes },
    pairs: values.quick ? [{ msw, vitest }] : pairs,
    compilers: values.quick ? [typescript] : ['5', '6', '7'],
  }
  const groups = [alone, beside, types, browser, ...(values.quick ? [] : [linters, jest, recipes])]
  for (const group of groups) for (const check of await group(setting)) results.push(await resultOf(check))

  const title = `${name} ${version} beside its neighbours, ${new Date().toISOString().slice(0, 10)}`
  const text = markdown(title, nodes, results)
  console.log(`\n${text}`)
  if (values.out !== undefined) await writeFile(values.out, text)
  if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1
}

async function resultOf({ row, column = 'any Node', run, ruledOut }) {
  if (ruledOut !== undefined) return { row, column, outcome: 'ruled out', detail: ruledOut }
  const started = performance.now()
  const spent = () => `${((performance.now() - started) / 1000).toFixed(1)} s`
  try {
    const detail = (await run()) ?? ''
    console.error(`works, ${spent()}: ${column}, ${row}`)
    return { row, column, outcome: 'works', detail }
  } catch (error) {
    console.error(`FAILED, ${spent()}: ${column}, ${row}\n${error instanceof Error ? error.message : error}`)
    return { row, column, outcome: 'failed', detail: '' }
  }
}

/** The results for people: a column for each version of Node, and one for what does not depend on it. */
function markdown(title, nodes, results) {
  const columns = [...nodes.map(({ major }) => `Node ${major}`), 'any Node']
  const cells = { works: 'works', failed: '**fails**', 'ruled out': 'ruled out' }
  const rows = [...new Set(results.map(({ row }) => row))].map((row) => [
    row,
    ...columns.map((column) => {
      const found = results.find((one) => one.row === row && one.column === column)
      if (!found) return ''
      const { outcome, detail } = found
      return outcome === 'works' && detail !== '' ? `works, ${detail}` : cells[outcome]
    }),
  ])
  const reasons = results.flatMap(({ outcome, detail }) => (outcome === 'ruled out' ? [detail] : []))
  const head = ['', ...nodes.map(({ version }) => `Node ${version}`), 'any Node']
  const told = [...new Set(reasons)].map((reason) => `- ruled out: ${reason}`)
  return [`# ${title}`, '', ...table(head, rows), '', ...told, ''].join('\n')
}
