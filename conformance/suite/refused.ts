/** What was refused has not been done: what reads show of it before and after, and whether it can still be done. */

import type { Answer, Call } from '../client/call.js'
import { Withheld } from '../client/judge.js'
import { uninstallPlugin } from '../client/plugins.js'
import type { OperationId } from '../contract/index.js'
import { SUCCESS } from '../contract/index.js'
import { type Row, treat, treatAll, type Variant } from './engine.js'
import { onceFor } from './once.js'
import { pluginBody } from './plugins.js'
import { needProven, type Subject, withSubject } from './subjects.js'
import type { Check, Requirement, Shown } from './types.js'
import { watch } from './unchanged.js'
import { Skip } from './verdicts.js'

export type RefusedRow = Omit<Row, 'allowed' | 'otherwise' | 'decision' | 'errorBodies'> & {
  /** For operations whose effect no read shows, or shows in a way of its own. */
  readonly instead?: Partial<Record<OperationId, Requirement['check']>>
}

export function refusedRequirements(rows: readonly RefusedRow[]): readonly Requirement[] {
  const here = (operation: OperationId) =>
    rows.filter(({ operations, instead }) => operations.includes(operation) && !instead?.[operation])
  const unchangedBy = onceFor((t: Check, operation: OperationId) => allBy(t, here(operation), operation))
  return rows.map((row) => {
    const { id, level, section, statement, operations, safety, instead = {} } = row
    const judge = async (t: Check, operation: OperationId) =>
      (await unchangedBy(t, operation)).has(row) ? t.pass() : changesNothing(t, row, operation)
    const check = (t: Check, operation: OperationId) => (instead[operation] ?? judge)(t, operation)
    return { id, level, section, statement, operations, safety, each: true, check }
  })
}

/** The rows whose refusals, asked for in a row, have changed nothing of one subject: one look tells it of all of them. */
async function allBy(
  t: Check,
  rows: readonly RefusedRow[],
  operation: OperationId,
): Promise<ReadonlySet<RefusedRow>> {
  const refused = new Set<RefusedRow>()
  const change: Row['change'] = async (subject) => {
    const variants: Variant[] = []
    for (const row of rows)
      try {
        variants.push(...(await row.change(subject, t)))
        refused.add(row)
      } catch (error) {
        if (!(error instanceof Skip)) throw error
      }
    return variants
  }
  const [first] = rows
  try {
    if (first && (await changeBy(t, { ...first, change }, operation, { once: true, all: true })) === null)
      return refused
  } catch (error) {
    if (!(error instanceof Skip || error instanceof Withheld)) throw error
  }
  // It may be changed.
  t.run.own.forgetOtherUser()
  return new Set()
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
  const first = await changeBy(t, row, operation, { once: true })
  if (first === null) return t.pass()
  // It may change by itself, or something else have changed it meanwhile, though hardly twice. A user who may be changed now
  // gives way to another.
  t.run.own.forgetOtherUser()
  const second = await changeBy(t, row, operation)
  if (second === null) t.inconclusive(`${first.message}, once in two times`)
  t.verify(false, second.message, second.answer, operation, second.shown)
}

/** What has changed, though each of the requests for it was refused. */
async function changeBy(
  t: Check,
  row: RefusedRow,
  operation: OperationId,
  { once = false, all = false } = {},
): Promise<Found | null> {
  return withSubject(
    t,
    operation,
    async (subject) => {
      await needProven(t, subject)
      const update = (body: unknown) => treat(t, subject, { call: { body } })
      // What is so already would not show; all others are made anew, or put back to what they were.
      if (operation === 'updatePlugin')
        await update(pluginBody(t, { protected: true, priority: t.profile.plugin?.priority?.min }))
      const changed = await watch(t, (ask) => readAll(ask, subject.looks()), { once })
      const refused = async () => {
        const answer = await refuse(t, row, subject, all)
        return { answer, shown: await changed() }
      }
      // One that is protected may stay, though its removal is answered 200.
      const lift = async () => void (operation === 'updatePlugin' && (await update(await subject.again(0))))
      const { answer, shown } = await refused().finally(lift)
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

/**
 * The last of the refusals, of which the guard may have kept some back, unless `all` are needed. Whether such a request is
 * refused at all is for other requirements to say.
 */
async function refuse(t: Check, row: RefusedRow, subject: Subject, all: boolean): Promise<Answer> {
  const withheld: Withheld[] = []
  const any = { ...row, allowed: [] }
  const treated = await treatAll(t, any, subject, await row.change(subject, t), withheld)
  const answers = treated.map(({ answer }) => answer)
  const served = answers.find(({ status }) => status < 400)
  if (served) t.inconclusive(`the request was not refused but answered ${served.status}`)
  const last = answers.at(-1)
  if (last === undefined || (all && withheld[0])) throw withheld[0] ?? new Withheld('nothing was sent')
  return last
}
