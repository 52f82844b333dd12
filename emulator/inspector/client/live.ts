/** What the server tells without being asked, and what is asked for again whenever something has happened. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ShownCall } from '../events.js'
import type { SuiteStatus } from '../suite.js'
import { get } from './api.js'

export interface Live {
  readonly connected: boolean
  /** Oldest first. */
  readonly calls: readonly ShownCall[]
  readonly suite: SuiteStatus | null
  /** Another number after each thing that happened. */
  readonly revision: number
  /** Another number after each thing besides ordinary calls: faults and decisions may be others. */
  readonly changes: number
  /** Another number after each start of the connection: the server may be a new one. */
  readonly session: number
}

/** As many as the tracker keeps. */
const CAPACITY = 1000

let live: Live = {
  ...{ connected: false, calls: [], suite: null },
  ...{ revision: 0, changes: 0, session: 0 },
}
const listeners = new Set<(live: Live) => void>()
let drawing = false

function update(next: Partial<Live>): void {
  live = { ...live, ...next }
  // Many calls may come at once; the page is drawn once for all of them.
  if (drawing) return
  drawing = true
  requestAnimationFrame(() => {
    drawing = false
    for (const listener of listeners) listener(live)
  })
}

const RETRY_MS = 2000

export function connect(): void {
  const source = new EventSource('events')
  const on = (name: string, hear: (data: never) => Partial<Live>) =>
    source.addEventListener(name, (event) =>
      update({ revision: live.revision + 1, ...hear(JSON.parse(event.data) as never) }),
    )
  const changed = () => ({ changes: live.changes + 1 })
  on('journal', (calls: ShownCall[]) => ({
    ...changed(),
    calls,
    connected: true,
    session: live.session + 1,
  }))
  on('call', (call: ShownCall) => ({
    ...(call.fault === null ? {} : changed()),
    calls: [...live.calls, call].slice(-CAPACITY),
  }))
  on('changed', (kind: string) => ({ ...changed(), ...(kind === 'reset' ? { calls: [] } : {}) }))
  on('suite', (suite: SuiteStatus) => ({ suite, revision: live.revision }))
  source.addEventListener('error', () => {
    update({ connected: false })
    // The browser connects again by itself, and is given the whole journal then; unless it was refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS)
  })
}

export function useLive(): Live {
  const [shown, show] = useState(live)
  useEffect(() => {
    show(live)
    listeners.add(show)
    return () => void listeners.delete(show)
  }, [])
  return shown
}

/** What is at the path; asked for anew whenever `revision` is another one, but never twice at once. */
export function useFetched<T>(path: string, revision: number): { data: T | null; error: string | null } {
  const [result, setResult] = useState<{ data: T | null; error: string | null }>({ data: null, error: null })
  const state = useRef({ busy: false, again: false, gone: false })
  useEffect(() => {
    const { current } = state
    const load = async () => {
      if (current.busy) {
        current.again = true
        return
      }
      current.busy = true
      const next = await get<T>(path).then(
        (data) => ({ data, error: null }),
        (error: Error) => ({ data: null, error: error.message }),
      )
      current.busy = false
      if (current.gone) return
      setResult(next)
      if (!current.again) return
      current.again = false
      await load()
    }
    void load()
  }, [path, revision])
  useEffect(() => {
    const { current } = state
    return () => {
      current.gone = true
    }
  }, [])
  return result
}
