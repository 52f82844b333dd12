/** A request and an answer without the web's classes, which cost a server more than the tracker itself. */

/** The headers of a request, to read. The web's `Headers` are such. */
export interface ReadHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null
  has(name: string): boolean
}

/** What the tracker looks at of a request. The web's `Request` is one. */
export interface Incoming {
  readonly method: string
  readonly url: string
  readonly headers: ReadHeaders
  /** Null where there is none; it is read by `arrayBuffer`. */
  readonly body: unknown
  /** Its bytes, of which a server need not make a copy. */
  arrayBuffer(): Promise<ArrayBufferLike | Uint8Array>
  /** Aborted where the client no longer waits. */
  readonly signal: AbortSignal | null
}

/** Lower-case names; one may occur more than once. */
export type HeaderList = (readonly [name: string, value: string])[]

/** An answer as it goes out. */
export interface Outgoing {
  readonly status: number
  readonly headers: HeaderList
  /** Null where the status allows no body. */
  readonly body: string | null
  /** The body is the beginning of one, after which the connection ends; the headers announce the whole. */
  readonly cut?: true
}

type Core = (request: Incoming) => Promise<Outgoing>
/** As a tracker has it. */
type Fetch = (request: Request) => Promise<Response>

// By the function: what is put in the place of a tracker's `fetch` is asked in its place, and has no core.
const cores = new WeakMap<Fetch, Core>()

/** A tracker's `fetch`, which a server may go around by `coreOf`. */
export function fetchOf(core: Core, respond: (answer: Outgoing) => Response): Fetch {
  const fetch = async (request: Request) => respond(await core(request))
  cores.set(fetch, core)
  return fetch
}

/** Answers like `tracker.fetch`; undefined where that is not the tracker's own. */
export const coreOf = (tracker: { readonly fetch: Fetch }): Core | undefined => cores.get(tracker.fetch)
