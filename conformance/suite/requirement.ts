import type { Requirement } from './types.js'

export function requirement(definition: Requirement): Requirement {
  return definition
}
