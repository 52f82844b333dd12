/** One request with its answer, as a trace keeps it. Secrets never stand in it. */
export interface Exchange {
  /** Place in the trace, from 1. */
  readonly n: number
  /** Who asks: a role of the profile, `none`, `stranger:<what>`, `session:<k>`, `session:<k>+<role>` with both, `somebody:<k>` or `unknown`. */
  readonly caller: string
  readonly method: string
  /** Path of the URL, percent-encoded as it was sent. */
  readonly path: string
  /** With its `?`, or empty. */
  readonly query: string
  /** Request headers that not every client sends, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** null: none was sent. */
  readonly body: string | null
  /** 0: no answer arrived. */
  readonly status: number
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly text: string
  /** Parts that the recording has lost. Rules that need them do not judge. */
  readonly lost?: readonly ('body' | 'text')[]
  /** Milliseconds since the epoch, where the recording tells them. */
  readonly startedAt?: number
  readonly endedAt?: number
}

/** The text of an answer without these addresses, to which it may link. */
export const withoutLinks = (text: string, asked: readonly Exchange[]): string =>
  asked
    .flatMap(({ path, query }) => [path + query, path])
    .reduce((rest, own) => rest.replaceAll(own, '').replaceAll(own.replaceAll('/', '\\/'), ''), text)
