/** From a method and a path to an operation of the contract. */
import {
  type Method,
  type Operation,
  type OperationId,
  operations,
} from '../../conformance/contract/operations.js'

export type Match =
  | { readonly kind: 'operation'; readonly id: OperationId; readonly path: Readonly<Record<string, string>> }
  /** The path exists; these are its methods. */
  | { readonly kind: 'wrong-method'; readonly allowed: readonly Method[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'malformed' }

interface Route {
  readonly operation: Operation
  /** A literal segment, or the name of the parameter that stands in its place. */
  readonly segments: readonly { readonly literal: string | null; readonly parameter: string }[]
}

const ROOT = '/plugins/'

/** By the number of their segments. */
const routes = new Map<number, Route[]>()
for (const operation of operations) {
  const segments = operation.path
    .slice(1)
    .split('/')
    .map((segment) => {
      const parameter = operation.parameters.find(({ name }) => `{${name}}` === segment)?.name
      return { literal: parameter ? null : segment, parameter: parameter ?? '' }
    })
  routes.set(segments.length, [...(routes.get(segments.length) ?? []), { operation, segments }])
}

/** Matches what stands behind `{base_url}`, percent-encoded as it came. */
export function match(method: string, path: string, ext: string, slashToo: () => boolean): Match {
  const rest = path.endsWith('/') && slashToo() ? path.slice(0, -1) : path
  if (!rest.startsWith(ROOT)) return { kind: 'unknown' }
  const segments: string[] = []
  for (const segment of rest.slice(ROOT.length).split('/')) {
    const decoded = decode(segment)
    if (decoded === null) return { kind: 'malformed' }
    segments.push(decoded)
  }
  if (segments.shift() !== ext) return { kind: 'unknown' }
  const allowed: Method[] = []
  for (const { operation, segments: pattern } of routes.get(segments.length) ?? []) {
    if (!fits(pattern, segments)) continue
    if (operation.method === method)
      return { kind: 'operation', id: operation.id, path: pathParameters(pattern, segments) }
    allowed.push(operation.method)
  }
  return allowed.length > 0 ? { kind: 'wrong-method', allowed } : { kind: 'unknown' }
}

function fits(pattern: Route['segments'], segments: readonly string[]): boolean {
  return pattern.every(({ literal }, index) =>
    literal === null ? segments[index] !== '' : literal === segments[index],
  )
}

function pathParameters(pattern: Route['segments'], segments: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {}
  for (const [index, { literal, parameter }] of pattern.entries())
    if (literal === null) parameters[parameter] = segments[index] ?? ''
  return parameters
}

function decode(segment: string): string | null {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
