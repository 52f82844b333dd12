import { refuse } from './errors.js'

/** A project that does not exist, in a list of several: refused or left out, never both. */
export function refuseProject(
  id: string,
  how: 'not-found' | 'invalid' | 'skipped',
  decision: 'projadd-unknown-project' | 'cf-projects-create',
  alone: boolean,
): void {
  if (how === 'skipped' && !alone) return
  if (how === 'invalid')
    refuse('invalid-value', { with: ['projects'], detail: `Project ${id} does not exist`, decision })
  refuse('project-not-found', { with: [id], decision })
}
