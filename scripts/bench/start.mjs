/** The time from the start to the first answer: imports, programs, memory, and the size of an installation. */
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packedKit } from './kit.mjs'
import { child, interleaved, medianOf, ratio, started } from './measure.mjs'
import { launch, servers } from './servers.mjs'

export const name = 'start'

export async function run({ dist, peers, scratch, quick }) {
  const rounds = quick ? 3 : 9
  const packed = await packedKit(dist, scratch)
  const project = await packed.installed('kit')
  const { devDependencies } = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  const others = ['@mswjs/data', 'zod']
  const beside = await packed.installed(
    'kit-and-others',
    others.map((name) => `${name}@${devDependencies[name]}`),
  )
  const imports = await interleaved(
    rounds,
    [
      { name: 'tracker-kit', modules: ['tracker-kit'] },
      { name: '@mswjs/data and zod', modules: others },
    ],
    ({ modules }) => child(join(beside, 'programs/import.mjs'), modules),
  )
  const subjects = await programs({ dist: join(project, 'node_modules/tracker-kit/dist'), peers, scratch })
  const results = await interleaved(rounds, subjects, once)
  const figures = []
  for (const { name: program, folder } of subjects) {
    const runs = results.get(program)
    figures.push({
      program,
      ms: medianOf(runs, ({ ms }) => ms),
      ofKit: ratio(runs, results.get('tracker-kit'), ({ ms }) => ms),
      memoryMb: medianOf(runs, ({ memoryMb }) => memoryMb),
      ...(folder ? await installedSize(folder === 'kit' ? project : await folder()) : {}),
    })
  }
  const kit = figures.find(({ program }) => program === 'tracker-kit')
  const of = (program) => ratio(results.get('tracker-kit'), results.get(program), ({ ms }) => ms)
  const imported = (module) => medianOf(imports.get(module), ({ ms }) => ms)
  const ofImport = ratio(imports.get('tracker-kit'), imports.get('@mswjs/data and zod'), ({ ms }) => ms)
  return {
    title: 'Program start to the first answer',
    columns: ['program', 'ms', 'of tracker-kit', 'memory', 'packages', 'installed'],
    rows: figures.map(({ program, ms, ofKit, memoryMb, packages, megabytes }) => [
      program,
      ms.toFixed(0),
      ofKit.toFixed(2),
      `${memoryMb.toFixed(0)} MB`,
      packages ?? '',
      megabytes === undefined ? '' : `${megabytes.toFixed(0)} MB`,
    ]),
    notes: [
      `\`import 'tracker-kit'\` takes ${imported('tracker-kit').toFixed(0)} ms, ` +
        `\`@mswjs/data\` and \`zod\` alone ${imported('@mswjs/data and zod').toFixed(0)} ms.`,
    ],
    aims: [
      { what: "`import 'tracker-kit'` of `@mswjs/data` and `zod` alone", value: ofImport, atMost: 0.5 },
      { what: 'start of Prism', value: of('Prism'), atMost: 0.5 },
      { what: 'start of Mockoon', value: of('Mockoon'), atMost: 1 },
      { what: 'memory at the first answer', value: kit.memoryMb, atMost: 100, unit: ' MB' },
    ],
    figures: {
      programs: figures,
      imports: Object.fromEntries([...imports].map(([of]) => [of, imported(of)])),
    },
  }
}

/** The servers, and the kit with another version of Node. */
async function programs({ dist, peers, scratch }) {
  const folders = {
    'tracker-kit': 'kit',
    '@mswjs/http-middleware': () => peers.install('http-middleware'),
    'json-server': () => peers.install('json-server'),
    Prism: () => peers.install('prism'),
    Mockoon: () => peers.install('mockoon'),
  }
  const list = await servers({ dist, peers, scratch: join(scratch, 'start') })
  const usual = list.map((server) => ({
    name: server.name,
    folder: folders[server.name],
    launch: () => launch(server),
  }))
  const node22 = await peers.node22()
  const other = {
    name: 'tracker-kit, Node 22',
    launch: async () => ({ ...(await launch(list[0])), command: node22 }),
  }
  return node22 ? [...usual, other] : usual
}

async function once({ launch: command }) {
  const program = await started(await command())
  try {
    return { ms: program.ms, memoryMb: await memoryOf(program.pid) }
  } finally {
    await program.stop()
  }
}

/** Resident memory in MB. */
async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024
}

async function installedSize(folder) {
  const { packages } = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  return {
    packages: Object.keys(packages).length,
    megabytes: (await bytesOf(join(folder, 'node_modules'))) / 2 ** 20,
  }
}

async function bytesOf(path) {
  const found = await lstat(path)
  if (!found.isDirectory()) return found.size
  const sizes = await Promise.all((await readdir(path)).map((name) => bytesOf(join(path, name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}
