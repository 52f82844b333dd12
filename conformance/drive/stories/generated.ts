/** Generated requests from the same tables, with several wrong members at once. */
import fc from 'fast-check'
import { bodies, hostile } from '../../oracle/bodies.js'
import { isObject } from '../../oracle/json.js'
import { aspects } from '../../oracle/operations.js'
import type { Driver } from '../driver.js'
import { listFields } from '../fields.js'
import { peek } from '../users.js'
import { valid } from '../valid.js'
import { subjectsOf } from './refusals.js'

const value = fc.oneof(
  fc.constantFrom(...hostile),
  fc.json(),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ maxLength: 40 }),
)
const cases = fc.tuple(fc.nat(), fc.array(fc.tuple(fc.nat(), value), { maxLength: 2 }))
/** Members that stay as they are, so that the run can go on using the thing. */
const kept = ['username', 'email', 'enabled', 'protected', 'access_level', 'password']
const operations = ['updateUser', 'addUserToProjects', 'updateCustomField', 'manageColumns']

export async function generated(driver: Driver, runs: number, seed: number): Promise<void> {
  for (const [turn, [which, defects]] of fc.sample(cases, { numRuns: runs, seed }).entries()) {
    const things = await subjectsOf(driver)
    const requests = valid(driver, things).filter(({ op }) => operations.includes(op))
    const request = requests[which % Math.max(requests.length, 1)]
    if (!request || !isObject(request.body)) return
    const { family } = aspects[request.op]
    const names = Object.keys(family ? bodies[family] : {}).filter((name) => !kept.includes(name))
    const more = defects.map(([index, one]) => [names[index % names.length], one])
    // A name that stays needs no read to prove whose the field is.
    const { custom_field: definition } = request.body
    const same = isObject(definition) ? { custom_field: { ...definition, name: things.field?.name } } : {}
    await driver.ask({ ...request, body: { ...request.body, ...same, ...Object.fromEntries(more) } })
    if (turn % 3 !== 1) continue
    if (request.op === 'updateCustomField') await listFields(driver)
    else if (/User/.test(request.op)) await peek(driver, things.user, turn)
  }
}
