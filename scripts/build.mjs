#!/usr/bin/env node
/**
 * Builds the published files into `dist`: the entries with shared chunks, the inspector's page as one script, the
 * declarations of the exports in package.json, the JSON Schemas, and the licences of bundled packages. Fails if
 * `inlinedDependencies` in package.json does not list exactly these packages.
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const node = (...args) => promisify(execFile)(process.execPath, args)
const inputs = (names, folder, ending) =>
  Object.fromEntries(names.map((name) => [name, join(folder, name + ending)]))
/** The folder for the declarations of single files, until they are bundled. */
const declared = join(dist, 'declared')
const peers = [/^msw(\/|$)/, /^vitest(\/|$)/]
const page = 'emulator/inspector/client'

const exported = ['emulator/index', 'emulator/msw', 'emulator/vitest/index', 'conformance/index']
/** Modules that are found by path: programs, both sides of `browser` in package.json, and users of their own path. */
const found = [
  'conformance/cli/main',
  'emulator/browser',
  'emulator/http/listen',
  'emulator/arrange/seed-file',
  'emulator/inspector/location',
]

await rm(dist, { recursive: true, force: true })
const declarations = declare()
const modules = await bundle({
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node20',
    license: { fileName: 'LICENSES.md' },
    rolldownOptions: {
      external: peers,
      input: inputs([...exported, ...found], root, '.ts'),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
})
const pageModules = await bundle({
  build: {
    modulePreload: false,
    target: 'es2023',
    license: { fileName: `${page}/LICENSES.md` },
    rolldownOptions: {
      input: { [`${page}/main`]: join(root, page, 'main.tsx') },
      output: { entryFileNames: '[name].js' },
    },
  },
})
await checkInlined([...modules, ...pageModules])
// By the built program: `tracker-kit/schemas/profile.json` and so on.
const { stdout } = await node(join(dist, 'conformance/cli/main.js'), 'contract', 'schemas')
await mkdir(join(dist, 'schemas'))
for (const [name, schema] of Object.entries(JSON.parse(stdout)))
  await writeFile(join(dist, 'schemas', `${name}.json`), `${JSON.stringify(schema)}\n`)
await declarations

/** Runs Vite and returns the ids of the modules in the result. */
async function bundle({ build: options, ...rest }) {
  const { output } = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ...rest,
    build: { outDir: dist, emptyOutDir: false, ...options },
  })
  return output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []))
}

/** Includes the types of bundled packages, since users of the kit do not install these. */
async function declare() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const project = join(root, 'tsconfig.build.json')
  await node(tsc, '-p', project, '--outDir', declared).catch((error) => {
    throw new Error(error.stdout)
  })
  const bundled = await rollup({
    input: inputs(exported, declared, '.d.ts'),
    external: peers,
    plugins: [dts({ respectExternal: true, tsconfig: project })],
    onwarn({ code, message }) {
      // One entry has no declarations. Types that users cannot name need no export.
      if (!['EMPTY_BUNDLE', 'PLUGIN_WARNING'].includes(code)) throw new Error(message)
    },
  })
  await bundled.write({ dir: dist, entryFileNames: '[name].d.ts', chunkFileNames: 'chunks/[name].ts' })
  await rm(declared, { recursive: true })
}

async function checkInlined(modules) {
  const folders = modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0])
  const versions = {}
  for (const folder of [...new Set(folders)].filter(Boolean).toSorted()) {
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    versions[folder.slice(folder.lastIndexOf('/node_modules/') + '/node_modules/'.length)] = version
  }
  const { inlinedDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  if (!isDeepStrictEqual(inlinedDependencies, versions))
    throw new Error(`inlinedDependencies in package.json should be ${JSON.stringify(versions, null, 2)}`)
}
