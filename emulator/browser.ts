/** Replaces the files that need Node in a bundle for the browser; `browser` in package.json lists them. */
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
