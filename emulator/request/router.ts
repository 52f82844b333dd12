/** Finds the operation of the contract for a method and a path. */
import { type Method, type Operation, operations } from '../../conformance/contract/operations.js'

export type Match =
  | {
      readonly kind: 'operation'
      readonly id: Operation['id']
      readonly path: Readonly<Record<string, string>>
    }
  /** The path exists, but only with these methods. */
  | { readonly kind: 'wrong-method'; readonly allowed: readonly Method[] }
  /** The learnt tracker does not have the operation. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'malformed' }

interface Route {
  readonly operation: Operation
  /** The segments after the extension: each is a text, or the name of a parameter. */
  readonly segments: readonly { readonly text: string; readonly parameter: string | undefined }[]
}

const ROOT = '/plugins/'

/** Routes by their first segment, which is always a text. */
const routes = new Map<string, Route[]>()
for (const operation of operations) {
  const texts = operation.path.slice(1).split('/')
  const segments = texts.map((text) => ({ text, parameter: /^\{(\w+)\}$/.exec(text)?.[1] }))
  const [first = ''] = texts
  routes.set(first, [...(routes.get(first) ?? []), { operation, segments }])
}

/** Matches the part of a path after `{base_url}`, percent-encoded as in the request. */
export function match(method: string, path: string, ext: string, slashToo: () => boolean): Match {
  const rest = path.endsWith('/') && slashToo() ? path.slice(0, -1) : path
  if (!rest.startsWith(ROOT)) return { kind: 'unknown' }
  const segments = rest.slice(ROOT.length).split('/').map(decode)
  if (!segments.every((segment) => segment !== null)) return { kind: 'malformed' }
  if (segments.shift() !== ext) return { kind: 'unknown' }
  const allowed: Method[] = []
  for (const route of routes.get(segments[0] ?? '') ?? []) {
    const path = pathParameters(route, segments)
    if (path && route.operation.method === method) return { kind: 'operation', id: route.operation.id, path }
    if (path) allowed.push(route.operation.method)
  }
  return allowed.length > 0 ? { kind: 'wrong-method', allowed } : { kind: 'unknown' }
}

/** The parameters in a path below the extension; null if the route has another form. */
function pathParameters({ segments }: Route, given: readonly string[]): Record<string, string> | null {
  if (given.length !== segments.length) return null
  const found: Record<string, string> = {}
  let at = 0
  for (const { text, parameter } of segments) {
    const part = given[at++] ?? ''
    if (parameter === undefined ? part !== text : part === '') return null
    if (parameter !== undefined) found[parameter] = part
  }
  return found
}

/** Null if it is not percent-encoded text. */
export function decode(segment: string): string | null {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
