/**
 * The one engine under the rows of differences: it asks with a subject in which one thing was changed, judges the answer, and
 * asks with the plain subject (the control) before it holds a refusal for the wrong reason against the target.
 */

import type { Answer, Call } from '../client/call.js'
import { Withheld } from '../client/judge.js'
import { mentions } from '../client/look.js'
import type { OperationId } from '../contract/index.js'
import { operation as contractOf, SUCCESS } from '../contract/index.js'
import { errorBodyFault } from './error-body.js'
import { onceFor, perRun } from './once.js'
import { ambiguous, cutOff, type Subject, subjectOf, undo, withSubject } from './subjects.js'
import type { Check, Requirement, Run } from './types.js'
import { Skip } from './verdicts.js'

export interface Variant {
  /** In words what is different, as the message of a verdict begins. */
  readonly what: string
  /** In place of what the subject has; a body takes the place of the subject's, whichever form it has. */
  readonly call: Partial<Omit<Call, 'operation'>>
  /** The text of a body that reads show once it was accepted, where they show that of a plain one. */
  readonly shows?: (body: unknown) => string | undefined
  /** Where other statuses are right than the row has. */
  readonly allowed?: readonly number[]
  /** What is asked together here: each by itself, where the answer to all of them is wrong, or is 400. */
  readonly parts?: readonly Variant[]
  /**
   * Seldom telling. The first operation of a run is asked all of these, each other one in its turn, and whatever one of them
   * has answered wrongly all that follow.
   */
  readonly rare?: true
}

type Statuses = readonly number[] | ((subject: Subject) => readonly number[])

export interface Row extends Omit<Requirement, 'each' | 'check' | 'phase'> {
  /** The requests that differ from the subject in one thing. */
  change(subject: Subject, t: Check): readonly Variant[] | Promise<readonly Variant[]>
  /** The right statuses. */
  readonly allowed: Statuses
  /** What a request can be answered that is not known to be valid otherwise, so that it says nothing. */
  readonly otherwise?: Statuses
  /** What is left open, and is told by the status of the first answer. */
  readonly decision?: string | ((operation: OperationId) => string)
  /** On a thing that may be changed. */
  readonly fresh?: true
  /**
   * Asked at first of what nothing has to be done for, or with a body that says nothing: most trackers answer that as they do
   * the valid request. Where such an answer is one of `otherwise`, the valid one is asked for as well.
   */
  readonly first?: 'as-it-is' | 'cut-off'
  /** Nothing is different: the subject is its own control. */
  readonly plain?: true
  /** The statement is about error bodies too. */
  readonly errorBodies?: true
}

export const requirementOf = (row: Row): Requirement => {
  const { id, rank, level, section, statement, operations, safety, inARow } = row
  const own = { ...(rank && { rank }), ...(inARow && { inARow }) }
  const check = (t: Check, operation: OperationId) => judge(t, row, operation)
  return { id, level, section, statement, operations, safety, each: true, check, ...own }
}

interface Treated {
  readonly subject: Subject
  readonly variant: Variant
  readonly answer: Answer
}

async function judge(t: Check, row: Row, operation: OperationId): Promise<void> {
  const withheld: Withheld[] = []
  const otherwise = ({ subject }: Treated) => statusesOf(row.otherwise ?? [], subject)
  const saysNothing = (one: Treated) => !one.subject.proven && otherwise(one).includes(one.answer.status)

  /** `again`: what was asked for before, and said nothing. */
  async function ask(subject: Subject, again?: Treated[]): Promise<Treated[]> {
    if (again && !subject.proven) return again
    const variants = chosen(t.run, row, operation, await row.change(subject, t))
    const isOpen = ({ what, parts = [] }: Variant): boolean =>
      again === undefined || again.some(({ variant }) => variant.what === what) || parts.some(isOpen)
    return treatAll(t, row, subject, variants.filter(isOpen), withheld)
  }

  async function askAll(): Promise<Treated[]> {
    const valid = (again?: Treated[]) =>
      withSubject(t, operation, (subject) => ask(subject, again), { fresh: row.fresh === true })
    if (row.first === undefined) return valid()
    const plain = await subjectOf(t, operation)
    const light = await ask(row.first === 'cut-off' ? cutOff(plain) : plain)
    const silent = light.filter(saysNothing)
    return silent.length === 0
      ? light
      : [...light.filter((one) => !saysNothing(one)), ...(await valid(silent))]
  }

  const treated = await askAll()
  if (treated.length === 0 && withheld[0]) throw withheld[0]
  const isRight = ({ subject, variant, answer }: Treated) =>
    rightFor(row, subject, variant).includes(answer.status)
  if (row.decision && treated[0] && isRight(treated[0]))
    t.observe(decisionFor(row.decision, operation), operation, treated[0].answer.status)

  const judged = treated.filter((one) => !saysNothing(one))
  const [first] = treated
  if (judged.length === 0 && first) ambiguous(t, operation, first.answer.status)
  // A refusal has a reason, which may be another one.
  const isRefusal = ({ answer: { status } }: Treated) => status >= 400 && status < 500 && status !== 401
  const doubtful = judged.some((one) => !isRight(one) && isRefusal(one))
  const isRead = contractOf(operation).method === 'GET'
  const control = (doubtful || isRead) && !row.plain ? await controlOf(t, operation) : null
  // Which success is the right one is for other requirements to say.
  const isRefused = control !== null && (control < 200 || control >= 300)
  if (isRefused && judged.every((one) => isRight(one) || isRefusal(one)))
    return refusedAnyway(t, operation, control)
  for (const { subject, variant, answer } of judged) {
    if (!t.expect(answer, rightFor(row, subject, variant), variant.what))
      asked(t.run).get(row.id)?.suspects.add(variant.what)
    else if (row.errorBodies && answer.status !== SUCCESS) {
      const fault = errorBodyFault(answer)
      t.verify(fault === null, `${variant.what}: the error body is not as section 7 has it: ${fault}`, answer)
    }
  }
  // What was judged counts all the same, and the rest is told.
  if (withheld[0]) throw withheld[0]
}

const rightFor = ({ allowed }: Row, subject: Subject, variant: Variant) =>
  variant.allowed ?? statusesOf(allowed, subject)

const statusesOf = (statuses: Statuses, subject: Subject) =>
  typeof statuses === 'function' ? statuses(subject) : statuses

/** Asks for each variant; one that the guard does not let out does not keep the others from it. */
export async function treatAll(
  t: Check,
  row: Row,
  subject: Subject,
  variants: readonly Variant[],
  withheld: Withheld[],
): Promise<Treated[]> {
  const treated: Treated[] = []
  for (const variant of variants)
    try {
      const answer = await treat(t, subject, variant)
      const isWrong = (one: Treated) =>
        !rightFor(row, subject, one.variant).includes(one.answer.status) || hasFault(row, one.answer)
      const here: Treated = { subject, variant, answer }
      // A part that is refused for its form keeps the others from being looked at.
      const isOpen = isWrong(here) || answer.status === 400
      const parts = isOpen ? (variant.parts ?? []) : []
      const wrong = (await treatAll(t, row, subject, parts, withheld)).filter(isWrong)
      if (answer.status === SUCCESS) await showsAsPlain(t, subject, variant, answer)
      // Only together they may be what is wrong.
      treated.push(...(wrong.length > 0 ? wrong : [here]))
    } catch (error) {
      if (!(error instanceof Withheld)) throw error
      withheld.push(error)
    }
  return treated
}

const decisionFor = (decision: NonNullable<Row['decision']>, operation: OperationId): string =>
  typeof decision === 'string' ? decision : decision(operation)

const hasFault = ({ errorBodies }: Row, answer: Answer) =>
  errorBodies === true && answer.status !== SUCCESS && errorBodyFault(answer) !== null

export async function treat(t: Check, subject: Subject, { call }: Pick<Variant, 'call'>): Promise<Answer> {
  const asked = callOf(subject, call)
  const answer = await t.send(asked)
  if (answer.status === SUCCESS) await undo(t, asked, answer)
  return answer
}

export function callOf({ operation, call }: Subject, change: Variant['call'] = {}): Call {
  const { body, rawBody, ...rest } = call
  const content = 'body' in change || 'rawBody' in change ? {} : { body, rawBody }
  const asked = { ...rest, ...content, ...change }
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  return { operation, ...Object.fromEntries(given) }
}

/** Where reads show what a plain body says, they show it of this one. */
async function showsAsPlain(
  t: Check,
  subject: Subject,
  { what, call, shows }: Variant,
  answer: Answer,
): Promise<void> {
  const isShown = async (body: unknown) => {
    const text = shows?.(body)
    for (const look of text === undefined ? [] : subject.looks(body)) {
      const { status, json } = await t.send(look)
      const isByName = Object.values(look.path ?? {}).includes(text as string)
      if (status === SUCCESS && (isByName || mentions(json, text as string))) return true
    }
    return text === undefined
  }
  if (await isShown(call.body)) return
  const plain = await subject.again(0)
  const { status } = await treat(t, subject, { call: { body: plain } })
  if (status === SUCCESS && (await isShown(plain)))
    t.verify(false, `${what} is accepted, and what it says is not shown, unlike that of a plain one`, answer)
}

/** The status of the subject as it is; null where that cannot be asked for. */
const controlOf = onceFor(async (t: Check, operation: OperationId): Promise<number | null> => {
  // There may be few changes of a password in a day, and few recipients.
  if (operation === 'changeOwnPassword' || operation === 'deleteHelpdeskRecipient') return null
  try {
    return await withSubject(
      t,
      operation,
      async (subject) => (subject.proven ? (await treat(t, subject, { call: {} })).status : null),
      { fresh: true },
    )
  } catch (error) {
    if (error instanceof Withheld || error instanceof Skip) return null
    throw error
  }
})

function refusedAnyway(t: Check, operation: OperationId, status: number): never {
  if (status === 403)
    t.skip(`${operation} is answered 403 to the administrator of the profile, whatever it asks`)
  t.inconclusive(`${operation} is answered ${status} to a request without a defect`)
}

interface Asked {
  readonly first: OperationId
  /** Of rare variants those that were answered wrongly. */
  readonly suspects: Set<string>
}

/** By the id of the row. */
const asked = perRun(() => new Map<string, Asked>())

function chosen(
  run: Run,
  row: Row,
  operation: OperationId,
  variants: readonly Variant[],
): readonly Variant[] {
  const { first, suspects } = asked(run).get(row.id) ?? { first: operation, suspects: new Set() }
  asked(run).set(row.id, { first, suspects })
  const rare = variants.filter(({ rare }) => rare)
  const turn = rare[row.operations.indexOf(operation) % rare.length]
  return operation === first || run.isDoubted(operation)
    ? variants
    : variants.filter((one) => !one.rare || one === turn || suspects.has(one.what))
}
