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
  /** The segments after the extension: a literal, or null for a parameter. */
  readonly literals: readonly (string | null)[]
  /** The names of the parameters, at their positions. */
  readonly parameters: readonly (string | undefined)[]
}

const ROOT = '/plugins/'

/** Routes by their first segment, which is always a literal. */
const routes = new Map<string, Route[]>()
for (const operation of operations) {
  const segments = operation.path.slice(1).split('/')
  const parameters = segments.map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1])
  const literals = segments.map((segment, at) => (parameters[at] === undefined ? segment : null))
  const [first = ''] = segments
  routes.set(first, [...(routes.get(first) ?? []), { operation, literals, parameters }])
}

/** Matches the part of a path after `{base_url}`, percent-encoded as in the request. */
export function match(method: string, path: string, ext: string, slashToo: () => boolean): Match {
  const rest = path.endsWith('/') && slashToo() ? path.slice(0, -1) : path
  if (!rest.startsWith(ROOT)) return { kind: 'unknown' }
  const segments: string[] = []
  for (const segment of rest.slice(ROOT.length).split('/')) {
    const decoded = decode(segment)
    if (decoded === null) return { kind: 'malformed' }
    segments.push(decoded)
  }
  if (segments[0] !== ext) return { kind: 'unknown' }
  const allowed: Method[] = []
  for (const route of routes.get(segments[1] ?? '') ?? []) {
    if (!fits(route, segments)) continue
    const { operation } = route
    if (operation.method === method)
      return { kind: 'operation', id: operation.id, path: pathParameters(route, segments) }
    allowed.push(operation.method)
  }
  return allowed.length > 0 ? { kind: 'wrong-method', allowed } : { kind: 'unknown' }
}

/** `segments` begin with the extension. */
function fits({ literals }: Route, segments: readonly string[]): boolean {
  if (segments.length !== literals.length + 1) return false
  for (let at = 0; at < literals.length; at++) {
    const literal = literals[at]
    const segment = segments[at + 1]
    if (literal === null ? segment === '' : segment !== literal) return false
  }
  return true
}

function pathParameters({ parameters }: Route, segments: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (let at = 0; at < parameters.length; at++) {
    const name = parameters[at]
    if (name !== undefined) found[name] = segments[at + 1] ?? ''
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
