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

const routes = operations.map((operation) => ({ operation, segments: operation.path.slice(1).split('/') }))
const bySize = new Map<number, typeof routes>()
for (const route of routes)
  bySize.set(route.segments.length, [...(bySize.get(route.segments.length) ?? []), route])

/** Matches what stands behind `{base_url}`, percent-encoded as it came. */
export function match(method: string, path: string, ext: string, slashToo: boolean): Match {
  const rest = slashToo && path.endsWith('/') ? path.slice(0, -1) : path
  const [root, plugins, segment, ...raw] = rest.split('/')
  if (root !== '' || plugins !== 'plugins' || segment === undefined) return { kind: 'unknown' }
  const decoded = [segment, ...raw].map(decode)
  const [name, ...segments] = decoded
  if (decoded.includes(null)) return { kind: 'malformed' }
  if (name !== ext) return { kind: 'unknown' }
  const allowed = new Set<Method>()
  for (const { operation, segments: pattern } of bySize.get(segments.length) ?? []) {
    const parameters = parametersOf(operation, pattern, segments as string[])
    if (!parameters) continue
    if (operation.method === method) return { kind: 'operation', id: operation.id, path: parameters }
    allowed.add(operation.method)
  }
  return allowed.size > 0 ? { kind: 'wrong-method', allowed: [...allowed] } : { kind: 'unknown' }
}

function parametersOf(
  operation: Operation,
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  const parameters: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const given = segments[index] ?? ''
    const parameter =
      expected.startsWith('{') && operation.parameters.find(({ name }) => `{${name}}` === expected)
    if (!parameter && expected !== given) return null
    if (!parameter) continue
    if (given === '') return null
    parameters[parameter.name] = given
  }
  return parameters
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
