/** The files of the inspector's page: its script, as the build has made it of the client's modules, and its look. */
import { readFile } from 'node:fs/promises'
import { textReply } from '../http/message.js'
import { type Route, route } from '../http/routes.js'
import { icon, style } from './style.js'

export const assetRoutes: readonly Route[] = [
  route('GET assets/main.js', null, async () => {
    const { clientScript } = await import('./location.js')
    return textReply('text/javascript', await readFile(clientScript, 'utf8'))
  }),
  route('GET assets/style.css', null, () => textReply('text/css', style)),
  route('GET assets/icon.svg', null, () => textReply('image/svg+xml', icon)),
]
