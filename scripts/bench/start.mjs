/** The time of an import, and from the start of a program to its first answer. */
import { join } from 'node:path'
import { interleaved, medianOf, printed, ratio, started } from './measure.mjs'
import { kitAndBare, others } from './servers.mjs'

const ROUNDS = 9

/** Milliseconds to import the modules that follow. */
const IMPORTS = `const start = performance.now()
  for (const name of process.argv.slice(1)) await import(name)
  console.log(JSON.stringify({ ms: performance.now() - start }))`

export async function start(context) {
  const libraries = '`@mswjs/data` and `zod` alone'
  const modules = [
    { name: 'tracker-kit', paths: [join(context.dist, 'emulator/index.js')] },
    { name: libraries, paths: ['@mswjs/data', 'zod'] },
  ]
  const imports = await interleaved(ROUNDS, modules, ({ paths }) =>
    printed('--input-type=module', '-e', IMPORTS, ...paths),
  )
  const servers = [...(await kitAndBare(context.dist)), ...(await others(context))]
  const starts = await interleaved(ROUNDS, servers, async (server) => {
    const { ms, stop } = await started(server)
    await stop()
    return { ms }
  })
  const ms = (run) => run.ms
  const imported = (name) => medianOf(imports.get(name), ms).toFixed(0)
  const of = (name, other) => ratio(starts.get(name), starts.get(other), ms)
  const ofImport = ratio(imports.get('tracker-kit'), imports.get(libraries), ms)
  return {
    title: 'Program start to the first answer',
    columns: ['program', 'ms', 'of tracker-kit'],
    rows: servers.map(({ name }) => [
      ...[name, medianOf(starts.get(name), ms).toFixed(0), of(name, 'tracker-kit').toFixed(2)],
    ]),
    notes: [
      `\`import 'tracker-kit'\` takes ${imported('tracker-kit')} ms, ${libraries} ${imported(libraries)} ms.`,
    ],
    aims: [
      { what: `\`import 'tracker-kit'\` of ${libraries}`, value: ofImport, atMost: 0.5 },
      { what: 'start of Prism', value: of('tracker-kit', 'Prism'), atMost: 0.5 },
    ],
  }
}
