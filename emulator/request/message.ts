/** Requests and answers as plain data: the web's classes cost more than the tracker itself. */

/** The headers of a request. The web's `Headers` are such. */
export interface ReadHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null
  has(name: string): boolean
}

/** The body as it came; null where there is none. One that is too large was never kept. */
export type Bytes = Uint8Array | null | 'too-large'

/** The largest body that is read; 1 MiB. */
export const BODY_LIMIT = 1024 * 1024

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
