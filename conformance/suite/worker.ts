/** The one test file that `tracker-kit check` has vitest run. */
import { inject } from 'vitest'
import { registerSuite } from './register.js'
import type { RunOptions } from './run.js'

declare module 'vitest' {
  interface ProvidedContext {
    trackerKit: RunOptions
  }
}

registerSuite(inject('trackerKit'))
