/**
 * Failures that only follow from another one. A check needs things as it expects them at its beginning; where a fault that
 * is another requirement's to judge has left them otherwise, the check has nothing to judge by.
 */

import { NoAnswer } from '../client/call.js'
import { Withheld } from '../client/judge.js'
import { uninstallPlugin, updatePlugin } from '../client/plugins.js'
import type { OperationId } from '../contract/index.js'
import { isAccepted } from './trial.js'
import type { Failure, Run } from './types.js'

export interface Echoes {
  /** Of each check that failed. */
  note(requirement: string, failures: readonly Failure[]): void
  /** What the failures follow from, in words; null where from nothing that is known. */
  causeOf(failures: readonly Failure[]): Promise<string | null>
}

/** What an installed plugin that should not be there makes fail. Of its removal itself the requirement on it judges. */
const afterRemoval: readonly OperationId[] = ['installPlugin', 'updatePlugin', 'listPlugins']

export function createEchoes(run: Run): Echoes {
  /** The requirement that found an operation at fault first. */
  const blamed = new Map<OperationId, string>()

  async function cannotBeRemoved(): Promise<boolean> {
    const name = run.profile.plugin?.name
    // Where the run never installed it, it is not known to be there against the will of the run.
    if (name === undefined || !run.succeeded('installPlugin') || !run.allows('destructive')) return false
    const sender = { profile: run.profile, send: run.client.send }
    try {
      await uninstallPlugin(sender, name)
      return isAccepted(await updatePlugin(sender, name))
    } catch (error) {
      if (error instanceof NoAnswer || error instanceof Withheld) return false
      throw error
    }
  }

  return {
    note(requirement, failures) {
      for (const { operation } of failures) if (!blamed.has(operation)) blamed.set(operation, requirement)
    },
    async causeOf(failures) {
      if (failures.length === 0 || !failures.every(({ operation }) => afterRemoval.includes(operation)))
        return null
      // Before a removal was found at fault, what cannot be removed may be so by the very fault that is judged.
      const where = blamed.get('uninstallPlugin')
      if (where === undefined || !(await cannotBeRemoved())) return null
      return `the plugin cannot be uninstalled, as ${where} has found`
    },
  }
}
