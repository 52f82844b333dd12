/** What was refused has not been done: what reads show of it before and after, and whether it can still be done. */

import type { OperationId } from '../contract/index.js'
import { SUCCESS } from '../contract/index.js'
import type { Answer, Call } from '../target/call.js'
import { Withheld } from '../target/judge.js'
import { uninstallPlugin } from '../target/plugins.js'
import { type Row, treat, treatAll } from './engine.js'
import { needProven, type Subject, withSubject } from './subjects.js'
import type { Check, Requirement, Shown } from './types.js'
import { watch } from './unchanged.js'

export type RefusedRow = Omit<Row, 'allowed' | 'otherwise' | 'decision' | 'errorBodies'> & {
  /** For operations whose effect no read shows. */
  readonly instead?: Partial<Record<OperationId, Requirement['check']>>
}

export const refusedRequirement = (row: RefusedRow): Requirement => {
  const { id, level, section, statement, operations, safety, instead = {} } = row
  const check = (t: Check, operation: OperationId) =>
    (instead[operation] ?? (() => changesNothing(t, row, operation)))(t, operation)
  return { id, level, section, statement, operations, safety, each: true, check }
}

/** What cannot be done a second time, so that it says something that it can be done now. */
const onceOnly: readonly OperationId[] = [
  'deleteCustomField',
  'deleteHelpdeskRecipient',
  'installPlugin',
  'uninstallPlugin',
]

interface Found {
  readonly message: string
  readonly answer: Answer
  readonly shown: Shown
}

async function changesNothing(t: Check, row: RefusedRow, operation: OperationId): Promise<void> {
  const first = await changeBy(t, row, operation)
  if (first === null) return t.pass()
  // Something else may have changed it meanwhile, though hardly twice; of a user who may be changed now another is asked for.
  t.run.own.forgetOtherUser()
  const second = await changeBy(t, row, operation)
  if (second === null) t.inconclusive(`${first.message}, once in two times`)
  t.verify(false, second.message, second.answer, operation, second.shown)
}

/** What has changed, though each of the requests for it was refused. */
async function changeBy(t: Check, row: RefusedRow, operation: OperationId): Promise<Found | null> {
  return withSubject(
    t,
    operation,
    async (subject) => {
      await needProven(t, subject)
      const changed = await watch(t, (ask) => readAll(ask, subject.looks()))
      const answer = await refuse(t, row, subject)
      const shown = await changed()
      const refusal = `refused with ${answer.status}, and done all the same`
      if (shown !== null) return { message: `${refusal}: ${shown.place} is not as it was`, answer, shown }
      if (!onceOnly.includes(operation)) return null
      const { status } = await (operation === 'uninstallPlugin'
        ? // One that is protected from its installation on is not removed as it is.
          uninstallPlugin(t, t.need('plugin').name)
        : treat(t, subject, { call: {} }))
      if (status === SUCCESS) return null
      const message = `${refusal}: afterwards the administrator is answered ${status}`
      return { message, answer, shown: { expected: String(SUCCESS), seen: String(status) } }
    },
    { fresh: true },
  )
}

async function readAll(ask: Check['send'], looks: readonly Call[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const look of looks) answers.push(await ask(look))
  return answers
}

/** The last of the refusals. Whether such a request is refused at all is for other requirements to say. */
async function refuse(t: Check, row: RefusedRow, subject: Subject): Promise<Answer> {
  const withheld: Withheld[] = []
  const any = { ...row, allowed: [] }
  const treated = await treatAll(t, any, subject, await row.change(subject, t), withheld)
  const answers = treated.map(({ answer }) => answer)
  const served = answers.find(({ status }) => status < 400)
  if (served) t.inconclusive(`the request was not refused but answered ${served.status}`)
  const last = answers.at(-1)
  if (last === undefined) throw withheld[0] ?? new Withheld('nothing was sent')
  return last
}
