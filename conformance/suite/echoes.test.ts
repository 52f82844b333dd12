/** One fault is one failed requirement: what only follows from it is held against nobody. */
import { expect, test } from 'vitest'
import { faultyTrackers } from '../../fixtures/faulty/index.js'
import { planAbout, planFor, runSuite, type SuiteResult, withFaulty } from '../../fixtures/self-test.js'
import type { OperationId } from '../contract/index.js'
import type { Plan } from './plan.js'

const ofFields = ['deleteCustomField', 'updateCustomField', 'getCustomFieldUpdatePage'] as const
const ofPlugins = ['installPlugin', 'uninstallPlugin', 'updatePlugin', 'listPlugins'] as const

const uninstalling404 = 'plugins.install-and-uninstall: uninstallPlugin answers 404 to an installed plugin'

function faultyOne(id: string) {
  const faulty = faultyTrackers.find((one) => one.id === id)
  if (faulty === undefined) throw new RangeError(`no faulty tracker is called ${id}`)
  return faulty
}

const judge = (id: string, plan: Plan): Promise<SuiteResult> =>
  withFaulty(faultyOne(id), (profile) => runSuite(profile, { runs: 3, plan }))

const blamed = ({ failed }: SuiteResult) =>
  failed.map(({ requirement, operations }) => [requirement, ...operations])

test.each([
  ['refusal.forbidden-changes-nothing: deleteCustomField does what it answers 403 to', ofFields],
  ['refusal.unauthenticated-changes-nothing: deleteCustomField does what it answers 401 to', ofFields],
  [uninstalling404, ofPlugins],
  ['plugins.install-and-uninstall: uninstallPlugin uninstalls nothing', ofPlugins],
] satisfies readonly (readonly [string, readonly OperationId[]])[])(
  '%s',
  async (id, about) => {
    const { requirement, operation } = faultyOne(id)
    const result = await judge(id, planAbout(about))
    expect(blamed(result)).toEqual([[requirement, operation]])
  },
  60_000,
)

test('what follows names the requirement that found the cause', async () => {
  const { skipped } = await judge(uninstalling404, planAbout(ofPlugins))
  expect(skipped).toContain(
    'plugins.install-again installPlugin: inconclusive: the plugin cannot be uninstalled, as plugins.install-and-uninstall has found',
  )
}, 60_000)

test('a removal that does nothing is blamed where nothing else has found it before', async () => {
  const faulty = faultyOne('plugins.install-again: uninstallPlugin does nothing from the second time on')
  expect(blamed(await judge(faulty.id, planFor(faulty)))).toEqual([
    ['plugins.install-again', 'uninstallPlugin'],
  ])
})

test('an installation that is refused does not pass for what a removal has left', async () => {
  const result = await judge('plugins.install-and-uninstall: installPlugin answers 400', planAbout(ofPlugins))
  expect(blamed(result)).toContainEqual(['plugins.install-and-uninstall', 'installPlugin'])
}, 60_000)
