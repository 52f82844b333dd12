/** How far a run is: one line that is redrawn on a terminal, a line now and then otherwise. */
import type { TestRecord } from '../suite/loop.js'
import type { Io } from './usage.js'

const PLAIN_EVERY = 100
/** So that a slow target does not look like a dead one. */
const PLAIN_AFTER_MS = 5_000

export interface Progress {
  onRecord(record: TestRecord): void
  end(): void
}

export function createProgress(total: number, io: Io, now: () => number = Date.now): Progress {
  let told = now()
  let done = 0
  let failed = 0
  const state = () => `${done}/${total} checks${failed > 0 ? `, ${failed} failed` : ''}`
  return {
    onRecord({ requirement, operation, outcome }) {
      done += 1
      if (outcome === 'failed') failed += 1
      if (io.terminal) io.err(`\r\u001b[K${state()}  ${requirement} ${operation}`)
      else if (done % PLAIN_EVERY === 0 || done === total || now() - told >= PLAIN_AFTER_MS) {
        told = now()
        io.err(`${state()}\n`)
      }
    },
    end() {
      if (io.terminal) io.err('\r\u001b[K')
    },
  }
}
