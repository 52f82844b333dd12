/** The files of the inspector's page: those named here, and no others. */
import { readFile } from 'node:fs/promises'
import type { Reply } from '../http/message.js'
import type { Routes } from '../http/routes.js'
import { icon, style } from './style.js'

/** Modules of the view library, by the names that the page imports them under. The build copies them to the page's. */
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
  const scripts = [...Object.values(packages), ...modules.map((name) => `${name}.js`)]
  const routes = scripts.map((file) => {
    const get = async () => {
      const { clientFile } = await import('./location.js')
      return asset('text/javascript', await readFile(clientFile(file), 'utf8'))
    }
    return [`assets/${file}`, { GET: get }] as const
  })
  return {
    ...Object.fromEntries(routes),
    'assets/style.css': { GET: () => asset('text/css', style) },
    'assets/icon.svg': { GET: () => asset('image/svg+xml', icon) },
  }
}

function asset(type: string, body: string): Reply {
  return { status: 200, headers: [['content-type', `${type}; charset=utf-8`]], body }
}
