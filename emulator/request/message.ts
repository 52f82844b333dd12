/** Requests and answers as plain data: the web's classes would take longer than the tracker itself. */

/** The headers of a request. The web's `Headers` have this type. */
export interface ReadHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null
}

/** The body as it arrived; null if there is none. A body that is too large was not kept. */
export type Bytes = Uint8Array | null | 'too-large'

export const BODY_LIMIT = 1024 * 1024

/** Lower-case names, which may be repeated. */
export type HeaderList = (readonly [name: string, value: string])[]

export interface Outgoing {
  readonly status: number
  readonly headers: HeaderList
  /** Null if the status allows no body. */
  readonly body: string | null
  /** The body is only the beginning of one, and then the connection ends; the headers announce the whole. */
  readonly cut?: true
}
