/** What the page knows about the tracker: events from the server, and data that it fetches again after each change. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Overview, ShownCall } from '../routes.js'

export interface Live {
  readonly connected: boolean
  /** The oldest first. */
  readonly calls: readonly ShownCall[]
  /** Changes with each event. */
  readonly revision: number
  /** Changes with each event except ordinary calls: faults and decisions may have changed, or the server is a new one. */
  readonly changes: number
}

export interface SectionProps {
  readonly live: Live
  readonly overview: Overview
  /** The part of the address after the section, such as a decision or an operation; may be empty. */
  readonly detail: string
}

const CAPACITY = 1000

let live: Live = { connected: false, calls: [], revision: 0, changes: 0 }
let show: (live: Live) => void = () => undefined
let drawing = false

function update(next: Partial<Live>): void {
  live = { ...live, ...next }
  // If many calls arrive at once, the page is drawn once for all of them.
  if (drawing) return
  drawing = true
  requestAnimationFrame(() => {
    drawing = false
    show(live)
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
  on('journal', (calls: ShownCall[]) => ({ ...changed(), calls, connected: true }))
  on('call', (call: ShownCall) => ({
    ...(call.fault === null ? {} : changed()),
    calls: [...live.calls, call].slice(-CAPACITY),
  }))
  on('changed', (kind: string) => ({ ...changed(), ...(kind === 'reset' ? { calls: [] } : {}) }))
  source.addEventListener('error', () => {
    update({ connected: false })
    // The browser reconnects by itself and then gets the whole journal, unless the server refused the connection.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS)
  })
}

/** For the page itself, which gives it to its sections. */
export function useLive(): Live {
  const [shown, setShown] = useState(live)
  show = setShown
  return shown
}

type Fetched<T> = { readonly data: T | null; readonly error: string | null }

/** The data at the path. It is fetched again whenever `revision` changes, but never twice at the same time. */
export function useFetched<T>(path: string, revision: number): Fetched<T> {
  const [result, setResult] = useState<Fetched<T>>({ data: null, error: null })
  const wanted = useRef(revision)
  const busy = useRef(false)
  useEffect(() => {
    wanted.current = revision
    if (busy.current) return
    const load = async () => {
      busy.current = true
      for (let asked = -1; asked !== wanted.current; ) {
        asked = wanted.current
        await ask<T>('GET', path).then(
          (data) => setResult({ data, error: null }),
          (error: Error) => setResult({ data: null, error: error.message }),
        )
      }
      busy.current = false
    }
    void load()
  }, [path, revision])
  return result
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * Asks the control plane. The path is relative to its root, which is the address of the page; `given` is sent as JSON.
 * Rejects with the server's message.
 */
export async function ask<T>(method: Method, path: string, given?: unknown): Promise<T> {
  const body = given === undefined ? null : JSON.stringify(given)
  const response = await fetch(path, { method, body }).catch(() => {
    throw new Error('The tracker does not answer; is it still running?')
  })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const answer = await (isJson ? response.json() : response.text())
  if (!response.ok) throw new Error(answer.message ?? `${method} ${path} was answered ${response.status}`)
  return answer as T
}
