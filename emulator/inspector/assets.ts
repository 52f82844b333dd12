/** The files of the inspector's page: its script, as the build has made it of the client's modules, and its look. */
import { readFile } from 'node:fs/promises'
import type { Reply } from '../http/message.js'
import type { Route } from '../http/routes.js'
import { icon, style } from './style.js'

export const assetRoutes: readonly Route[] = [
  {
    route: 'GET assets/main.js',
    async answer() {
      const { clientScript } = await import('./location.js')
      return asset('text/javascript', await readFile(clientScript, 'utf8'))
    },
  },
  { route: 'GET assets/style.css', answer: () => asset('text/css', style) },
  { route: 'GET assets/icon.svg', answer: () => asset('image/svg+xml', icon) },
]

function asset(type: string, body: string): Reply {
  return { status: 200, headers: [['content-type', `${type}; charset=utf-8`]], body }
}
