/** Calls of the journal as requests to send again: in the form of their operation, or as a shell command. */
import type { ShownCall } from '../events.js'
import type { Overview } from '../views.js'

export interface PreparedRequest {
  readonly operation: string
  /** A role; null if the caller has none. */
  readonly as: string | null
  /** The path without the root and the query. */
  readonly path: string
  readonly query: string
  /** The body, masked as in the journal. */
  readonly body: string
}

let prepared: PreparedRequest | null = null

/** Opens the form with a request. */
export function prepare(request: PreparedRequest): void {
  prepared = request
  location.hash = `send/${request.operation}`
}

/** Opens the form with a call of the journal. */
export function edit({ operation, caller, path, body }: ShownCall, { roles }: Overview): void {
  const [before = '', query = ''] = path.split('?', 2)
  prepare({
    operation: operation ?? '',
    as: roles.find(({ username }) => username === caller)?.name ?? null,
    path: before,
    query,
    body: body === null ? '' : JSON.stringify(body, null, 2),
  })
}

/** Returns the request that was prepared for the form of this operation, but only once. */
export function takePrepared(operation: string): PreparedRequest | null {
  const taken = prepared?.operation === operation ? prepared : null
  prepared = null
  return taken
}

/** The values of an operation's path parameters in the path of a call. */
export function parametersOf(template: string, path: string): Readonly<Record<string, string>> {
  const pattern = template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  const { groups = {} } = new RegExp(`${pattern}/?$`).exec(path) ?? {}
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decoded(text)]))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A call of the journal as a shell command. The token is a variable, and masked values stay masked. */
export function curlOf(call: ShownCall, { baseUrl, root }: Pick<Overview, 'baseUrl' | 'root'>): string {
  const { method, path, body, violations } = call
  const below = path.startsWith(root) ? path.slice(root.replace(/\/$/, '').length) : path
  const bare = violations.some(({ kind, message }) => kind === 'credentials' && /missing/.test(message))
  const json = body === null ? '' : quoted(JSON.stringify(body))
  return [
    `curl -i -X ${method}`,
    ...(bare ? [] : ['-H "Authorization: Bearer $TRACKER_TOKEN"']),
    ...(body === null ? [] : [`-H 'Content-Type: application/json' --data-raw ${json}`]),
    quoted(baseUrl + below),
  ].join(' ')
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
