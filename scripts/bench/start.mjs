/** The time of an import, and from the start of a program to its first answer, with the memory at that moment. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { child, interleaved, medianOf, ratio, started } from './measure.mjs'
import { installPeers, launch, servers } from './servers.mjs'

export const name = 'start'
const ROUNDS = 9

export async function run({ dist, peersIn, scratch }) {
  const modules = [
    { name: 'tracker-kit', paths: [join(dist, 'emulator/index.js')] },
    { name: '@mswjs/data and zod', paths: ['@mswjs/data', 'zod'] },
  ]
  const imports = await interleaved(ROUNDS, modules, ({ paths }) => child('import', paths))
  const peers = await installPeers(peersIn)
  const subjects = await servers({ dist, peers, scratch: join(scratch, 'start') })
  const results = await interleaved(ROUNDS, subjects, once)
  const ms = (run) => run.ms
  const of = (program, other) => ratio(results.get(program), results.get(other), ms)
  const memoryOf = (program) => medianOf(results.get(program), ({ memoryMb }) => memoryMb)
  const imported = (name) => medianOf(imports.get(name), ms).toFixed(0)
  const ofImport = ratio(imports.get('tracker-kit'), imports.get('@mswjs/data and zod'), ms)
  return {
    title: 'Program start to the first answer',
    columns: ['program', 'ms', 'of tracker-kit', 'memory'],
    rows: subjects.map(({ name: program }) => [
      ...[program, medianOf(results.get(program), ms).toFixed(0), of(program, 'tracker-kit').toFixed(2)],
      `${memoryOf(program).toFixed(0)} MB`,
    ]),
    notes: [
      `\`import 'tracker-kit'\` takes ${imported('tracker-kit')} ms, ` +
        `\`@mswjs/data\` and \`zod\` alone ${imported('@mswjs/data and zod')} ms.`,
    ],
    aims: [
      { what: "`import 'tracker-kit'` of `@mswjs/data` and `zod` alone", value: ofImport, atMost: 0.5 },
      { what: 'start of Prism', value: of('tracker-kit', 'Prism'), atMost: 0.5 },
      { what: 'start of Mockoon', value: of('tracker-kit', 'Mockoon'), atMost: 1 },
      { what: 'memory at the first answer', value: memoryOf('tracker-kit'), atMost: 100, unit: ' MB' },
    ],
  }
}

async function once(server) {
  const program = await started(await launch(server))
  try {
    return { ms: program.ms, memoryMb: await residentMb(program.pid) }
  } finally {
    await program.stop()
  }
}

/** Resident memory in MB. */
async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024
}
