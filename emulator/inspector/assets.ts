/** The files of the inspector's page: those named here, and no others. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Reply } from '../http/message.js'
import type { Routes } from '../http/routes.js'
import { icon, style } from './style.js'

/** Modules of the view library, by the names that the page imports them under. */
export const packages = {
  preact: 'preact.js',
  'preact/hooks': 'preact-hooks.js',
  'preact/jsx-runtime': 'preact-jsx-runtime.js',
} as const

/** The page's own modules, as the build has put them there. */
const modules = [
  'main',
  'api',
  'live',
  'ui',
  'header',
  'journal',
  'call',
  'draft',
  'state',
  'snapshots',
  'curl',
  'send',
  'faults',
  'decisions',
  'suite',
]

export function assetRoutes(): Routes {
  const { resolve } = createRequire(import.meta.url)
  const own = (name: string) => fileURLToPath(new URL(`./client/${name}.js`, import.meta.url))
  const scripts = [
    ...Object.entries(packages).map(([name, file]) => [file, () => resolve(name)] as const),
    ...modules.map((name) => [`${name}.js`, () => own(name)] as const),
  ]
  const routes = scripts.map(([file, pathOf]) => {
    const get = async () => asset('text/javascript', withoutMap(await readFile(pathOf(), 'utf8')))
    return [`assets/${file}`, { GET: get }] as const
  })
  return {
    ...Object.fromEntries(routes),
    'assets/style.css': { GET: () => asset('text/css', style) },
    'assets/icon.svg': { GET: () => asset('image/svg+xml', icon) },
  }
}

/** Nobody serves the maps. */
const withoutMap = (script: string) => script.replace(/^\/\/# sourceMappingURL=.*$/m, '')

function asset(type: string, body: string): Reply {
  return { status: 200, headers: [['content-type', `${type}; charset=utf-8`]], body }
}
