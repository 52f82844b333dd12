/** Sequences of operations against a model: what a tracker must remember, whatever was asked before. */

import fc from 'fast-check'
import { type OperationId, operationIds } from '../contract/index.js'
import { group } from '../suite/requirement.js'
import { keepingColumns, keepingSetting } from '../suite/shared.js'
import type { Check } from '../suite/types.js'
import { discardFields, fieldCommands, plainFieldSequence } from './model/fields.js'
import { managementCommands, uninstallAfterwards } from './model/management.js'
import type { Command, Model } from './model/model.js'
import { plainUserSequence, userCommands } from './model/users.js'
import { holdsForAll } from './property.js'

/** A few long sequences find more than many short ones, for fewer requests. */
const sequences = (t: Check) => Math.min(8, Math.max(1, Math.ceil(t.run.options.runs / 50)))

async function agrees(
  t: Check,
  id: string,
  commands: readonly fc.Arbitrary<Command>[],
  floor: readonly string[],
  plain: () => readonly Command[],
): Promise<void> {
  const executed = new Map<string, number>()
  const shared: Pick<Model, 'users' | 'formerUsernames' | 'renamed' | 'disabled' | 'members' | 'reset'> = {
    users: [],
    formerUsernames: [],
    renamed: new Set(),
    disabled: new Set(),
    members: new Set(),
    reset: new Set(),
  }
  const arbitrary = fc.commands([...commands], { maxCommands: 40, size: 'max' })
  const judge = async (sequence: Iterable<Command>) => {
    const model: Model = {
      ...shared,
      fields: [],
      deletedFields: [],
      formerFieldNames: [],
      plugin: 'absent',
      columns: null,
    }
    try {
      await fc.asyncModelRun(() => ({ model, real: { t, executed } }), sequence)
    } finally {
      await discardFields(model, t)
      await uninstallAfterwards(model, t)
    }
  }
  const rare = () => floor.find((kind) => (executed.get(kind) ?? 0) < 2)
  // A seed may draw hardly any command of one kind.
  const sequence = fc.constant(null).map(plain)
  if (!(await holdsForAll(t, { id: `${id}.plain`, numRuns: 1 }, sequence, judge))) return
  if (!(await holdsForAll(t, { id, numRuns: sequences(t) }, arbitrary, judge))) return
  if (rare() !== undefined) t.inconclusive(`hardly any command of the kind ${rare()} was carried out`)
}

/** The session, the password and what can be deleted only once are for requirements of their own. */
const unmodelled: readonly OperationId[] = ['changeOwnPassword', 'impersonateUser', 'deleteHelpdeskRecipient']

export const models = group({ rank: 370 }, [
  {
    id: 'property.custom-field-model',
    level: 'must',
    section: '4.2',
    statement:
      'Custom fields behave as a set: any sequence of creations, updates, deletions, reads and lists agrees with a small model.',
    operations: [
      'createCustomField',
      'updateCustomField',
      'deleteCustomField',
      'getCustomFieldUpdatePage',
      'listCustomFields',
    ],
    safety: 'write',
    async check(t) {
      t.need('customField.type')
      if (!(await t.run.own.canFollowFields())) t.skip('no field of its own can be found in answers')
      const floor = ['createCustomField', 'updateCustomField', 'deleteCustomField', 'listCustomFields']
      await agrees(t, 'property.custom-field-model', fieldCommands(), floor, plainFieldSequence)
    },
  },

  {
    id: 'property.tracker-model',
    level: 'must',
    section: '4',
    statement:
      'Any sequence of operations on users, projects, fields, plugins, columns and settings agrees with a small model.',
    operations: operationIds.filter((id) => !unmodelled.includes(id)),
    safety: 'write',
    async check(t) {
      const commands = [
        ...userCommands(t),
        ...((await t.run.own.canFollowFields()) ? fieldCommands() : []),
        ...managementCommands(t),
      ]
      const floor = ['createUser', 'updateUser', 'getUser']
      const run = () => agrees(t, 'property.tracker-model', commands, floor, plainUserSequence)
      const { columns, userSetting } = t.allows('destructive') ? t.profile : {}
      const keeping = columns ? () => keepingColumns(t, run) : run
      await (userSetting ? keepingSetting(t, keeping) : keeping())
    },
  },
])
