/** What a check that runs beside others has to itself: its place, what it has made, and whether others have met it. */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Answer, Call } from '../client/call.js'
import type { Entry, Intent, Ledger } from '../client/ledger.js'
import { noteUse, type Used } from './resources.js'

interface Lane extends Used {
  /** From 1 on, the lowest that is free. */
  readonly place: number
  /** Of the ledger: what it has made and changed. */
  readonly entries: Set<Entry>
}

export interface Beside {
  /** Of the whole run; what is written to it in a lane is known as the lane's. */
  readonly ledger: Ledger
  /** Of the lane that asks; 0 where a check runs alone. */
  place(): number
  note(call: Call, answer: Answer): void
  readonly isMixed: boolean
  mix(): void
  /** In a lane of its own, with what it has made; the answer is to be taken once nothing of it is used any more. */
  run<T>(
    work: (entries: ReadonlySet<Entry>) => Promise<T>,
  ): Promise<{ readonly result: T; readonly isMixed: boolean }>
}

// One for all runs: Node takes each that there ever was along through every step.
const lanes = new AsyncLocalStorage<Lane>()

export function createBeside(whole: Ledger): Beside {
  /** Those that are under way. */
  const busy = new Set<Lane>()
  const ledger: Ledger = Object.create(whole, {
    intend: {
      value(intent: Intent) {
        const entry = whole.intend(intent)
        lanes.getStore()?.entries.add(entry)
        return entry
      },
    },
  })
  return {
    ledger,
    place: () => lanes.getStore()?.place ?? 0,
    note(call, { status }) {
      const lane = lanes.getStore()
      if (lane) noteUse(lane, busy, call, status)
    },
    get isMixed() {
      return lanes.getStore()?.isMixed ?? false
    },
    mix() {
      const lane = lanes.getStore()
      if (lane) lane.isMixed = true
    },
    async run(work) {
      let place = 1
      while ([...busy].some((one) => one.place === place)) place += 1
      const lane: Lane = { place, entries: new Set(), reads: new Set(), changes: new Set(), isMixed: false }
      busy.add(lane)
      try {
        const result = await lanes.run(lane, () => work(lane.entries))
        return { result, isMixed: lane.isMixed }
      } finally {
        busy.delete(lane)
      }
    },
  }
}
