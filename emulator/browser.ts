/**
 * What a bundler for the browser takes in the place of the files that need Node; `browser` in package.json says of which.
 */

import type { readSeed as nodeReadSeed } from './arrange/seed-file.js'
import type { listen as nodeListen, listenerOf as nodeListenerOf } from './http/listen.js'

const WORDS = 'A page cannot listen; answer its requests by handlers() of tracker-kit/msw or tracker.fetch()'

export const listen: typeof nodeListen = async () => {
  throw new Error(WORDS)
}

export const listenerOf: typeof nodeListenerOf = () => {
  throw new Error(WORDS)
}

export const readSeed: typeof nodeReadSeed = async (path) => {
  throw new Error(`A page cannot read the seed file ${path}; import its JSON and give createTracker() that`)
}
