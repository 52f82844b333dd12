/** The time of an import, and from the start of a program to its first answer. */
import { join } from 'node:path'
import { interleaved, medianOf, printed, ratio, started } from './measure.mjs'
import { installPeers, launch, servers } from './servers.mjs'

const ROUNDS = 9

/** Milliseconds to import the modules that follow. */
const IMPORTS = `const start = performance.now()
  for (const name of process.argv.slice(1)) await import(name)
  console.log(JSON.stringify({ ms: performance.now() - start }))`

export async function start({ dist, peersIn, scratch }) {
  const modules = [
    { name: 'tracker-kit', paths: [join(dist, 'emulator/index.js')] },
    { name: '@mswjs/data and zod', paths: ['@mswjs/data', 'zod'] },
  ]
  const imports = await interleaved(ROUNDS, modules, ({ paths }) =>
    printed('--input-type=module', '-e', IMPORTS, ...paths),
  )
  const peers = await installPeers(peersIn)
  const subjects = await servers({ dist, peers, scratch: join(scratch, 'start') })
  const results = await interleaved(ROUNDS, subjects, once)
  const ms = (run) => run.ms
  const of = (program, other) => ratio(results.get(program), results.get(other), ms)
  const imported = (name) => medianOf(imports.get(name), ms).toFixed(0)
  const ofImport = ratio(imports.get('tracker-kit'), imports.get('@mswjs/data and zod'), ms)
  return {
    title: 'Program start to the first answer',
    columns: ['program', 'ms', 'of tracker-kit'],
    rows: subjects.map(({ name: program }) => [
      program,
      medianOf(results.get(program), ms).toFixed(0),
      of(program, 'tracker-kit').toFixed(2),
    ]),
    notes: [
      `\`import 'tracker-kit'\` takes ${imported('tracker-kit')} ms, ` +
        `\`@mswjs/data\` and \`zod\` alone ${imported('@mswjs/data and zod')} ms.`,
    ],
    aims: [
      { what: "`import 'tracker-kit'` of `@mswjs/data` and `zod` alone", value: ofImport, atMost: 0.5 },
      { what: 'start of Prism', value: of('tracker-kit', 'Prism'), atMost: 0.5 },
    ],
  }
}

async function once(server) {
  const { ms, stop } = await started(await launch(server))
  await stop()
  return { ms }
}
