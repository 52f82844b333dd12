/**
 * The oracle: a trace and what the profile promises go in, findings and verdicts come out. It is pure, and no exchange
 * says why it was sent, so the same trace has the same verdicts today and in a later release.
 */
import { isCarriedOut, operationIds, SUCCESS } from '../contract/index.js'
import { callerRelations } from './caller-relations.js'
import { changeRelations } from './change-relations.js'
import { allowed, type Envelope } from './envelope.js'
import type { Exchange } from './exchange.js'
import {
  did,
  type Finding,
  type Judgement,
  type Observation,
  type Sighting,
  type Verdict,
  withCauses,
} from './finding.js'
import { forms, isDocumented } from './forms.js'
import type { Knowledge } from './knowledge.js'
import { learn } from './learn-places.js'
import { listRelations } from './list-relations.js'
import { overlaps } from './overlaps.js'
import { readingRelations } from './reading-relations.js'
import { recordRelations } from './record-relations.js'
import { type Request, requestOf } from './request.js'
import { stages } from './stages.js'
import { isPlain, must, type Relation, type Statement, type Watch } from './statement.js'
import { type Certainty, refuse, take } from './take.js'
import type { Thing } from './things.js'
import { identify, see, seeChange } from './views.js'
import { World } from './world.js'

export type { Finding, Judgement, Outcome, Verdict, Witness } from './finding.js'

const success: Statement = {
  ...must('success', '4', operationIds),
  statement: 'A valid request is answered 200.',
}
export const relations: readonly Relation[] = [
  ...recordRelations,
  ...callerRelations,
  ...listRelations,
  ...readingRelations,
  ...changeRelations,
]

/** Every statement that can fail, by id. */
export const rules: ReadonlyMap<string, Statement> = new Map(
  [...forms, success, ...stages.filter(({ isSilent }) => !isSilent), ...relations].map(
    ({ id, section, level, statement, operations }) => [id, { id, section, level, statement, operations }],
  ),
)

/** Judges a whole trace; see `Oracle` for one exchange after the other. */
export function judge(trace: readonly Exchange[], knowledge: Knowledge): Judgement {
  const oracle = new Oracle(knowledge, overlaps(trace))
  for (const exchange of withoutEnded(trace)) oracle.step(exchange)
  return oracle.end()
}

/** The trace without the last refusals of a caller: a token may expire, before the trace too, and its user may be disabled. */
function withoutEnded(trace: readonly Exchange[]): Exchange[] {
  const refusals = new Map<string, Exchange[]>()
  for (const exchange of trace) {
    const { caller, status } = exchange
    if (status !== 401) refusals.set(caller, [])
    else if (refusals.has(caller)) refusals.get(caller)?.push(exchange)
    else if (!/^(none|stranger|disabled)/.test(caller)) refusals.set(caller, [exchange])
  }
  const ended = new Set([...refusals.values()].filter(({ length }) => length > 1).flat())
  return trace.filter((exchange) => !ended.has(exchange))
}

type Lost = readonly [request: Request, allowed: readonly number[], lastChange: Request]
type Foreseen = Envelope & { readonly request: Request }

const watches = () => relations.map((relation) => [relation, relation.watch?.() ?? relation] as const)

export class Oracle {
  world: World
  #findings: Finding[] = []
  /** Counted in place: most exchanges are right under most rules. */
  #verdicts = new Map<string, Omit<Verdict, 'count'> & { count: number }>()
  readonly #observations = new Map<string, Observation>()
  /** Requests that did not find their thing. They wait for a read that shows it, or for a change of it. */
  #lost: Lost[] = []
  #watches: readonly (readonly [Relation, Watch])[]

  /** `concurrent`: numbers of exchanges that overlap with another about the same thing. */
  constructor(
    knowledge: Knowledge,
    readonly concurrent: ReadonlySet<number> = new Set(),
  ) {
    this.world = new World(knowledge)
    this.#watches = watches()
  }

  /** What would be allowed if the request were sent now; undefined where it means no operation. */
  foresee(exchange: Exchange): Foreseen | undefined {
    const { world } = this
    const request = requestOf(exchange, this.concurrent.has(exchange.n), world)
    if (!request) return undefined
    const envelope = allowed(request, world)
    // A tracker may close the connection on a wrong value. It answers every other refusal.
    request.mustAnswer =
      envelope.violated.length > 0 && envelope.violated.every(({ id }) => id !== 'body.members')
    return { ...envelope, request }
  }

  /** Takes an exchange in; undefined where it means no operation. */
  step(exchange: Exchange): Foreseen | undefined {
    const foreseen = this.foresee(exchange)
    if (!foreseen) return undefined
    const { world } = this
    const { request } = foreseen
    if (request.isLost) {
      if (isCarriedOut(request.status) || !isDocumented(request)) this.#beginAgain()
      return undefined
    }
    identify(request, world)
    const { notImplemented = [] } = world.knowledge
    // A read whose answer is lost shows no more than its status.
    const isMute = request.isRead && exchange.lost?.includes('text')
    if (!isMute) world.requests.push(request)
    if (notImplemented.includes(request.op)) return foreseen
    for (const form of forms.filter((one) => one.isAbout(request))) {
      const about = { op: request.op, n: request.n, isRight: form.isRight(request), says: said(request) }
      this.#decide(form, about, form.id === 'status' ? listed(foreseen) : [])
    }
    const isSettled = ([{ subject }]: Lost) => !request.isRead && subject === request.subject
    this.#blameFor(this.#lost.filter(isSettled))
    this.#lost = this.#lost.filter((one) => !isSettled(one))
    if (isDocumented(request)) this.#judgeStatus(request, foreseen)
    else for (const { id } of foreseen.violated) this.#skip(id, request.op, UNDOCUMENTED)
    this.#learnFrom(request, foreseen)
    if (isMute) return foreseen
    if (request.isRead) see(request, world)
    else seeChange(request, world)
    if (!request.isRead) world.lastChange = request.n
    request.isPlain = isPlain(request, world)
    for (const [rule, watch] of this.#watches)
      for (const sighting of watch.each?.(request, world) ?? []) this.#decide(rule, sighting)
    return foreseen
  }

  /** The judgement so far; further exchanges may follow. */
  end(): Judgement {
    const steps = [...this.#findings]
    const before = new Map([...this.#verdicts].map(([key, verdict]) => [key, { ...verdict }]))
    this.#conclude()
    const blamed = (rule: string) =>
      operationIds.filter((operation) => this.#verdicts.has(`${rule} ${operation}`))
    const verdicts = [...rules.values()].flatMap(({ id: rule, level, operations }) =>
      [...new Set([...operations, ...blamed(rule)])].map(
        (operation): Verdict =>
          this.#verdicts.get(`${rule} ${operation}`) ?? {
            ...{ rule, operation, level, outcome: 'never exercised', count: 0 },
          },
      ),
    )
    const findings = this.#findings
    this.#findings = steps
    this.#verdicts = before
    return { findings: withCauses(findings), verdicts, observations: [...this.#observations.values()] }
  }

  /** Judges what only the whole trace shows. */
  #conclude(): void {
    const places = learn(this.world.sights)
    this.#blameFor(this.#lost)
    for (const [rule, watch] of this.#watches)
      for (const sighting of watch.end?.(this.world, places) ?? []) this.#decide(rule, sighting)
  }
  /** A change with a lost body may have changed anything. What follows is judged like a recording of its own. */
  #beginAgain(): void {
    this.#conclude()
    const before = this.world
    const { baseUrl, callers, ext, notImplemented = [] } = before.knowledge
    this.world = new World({ baseUrl, callers, notImplemented, ...(ext === undefined ? {} : { ext }) })
    for (const name of ['unsettled', 'doubted', 'changed'] as const)
      for (const one of before[name]) this.world[name].add(one)
    this.#watches = watches()
    this.#lost = []
  }

  #judgeStatus(request: Request, envelope: Envelope): void {
    const { statuses, violated, open, level } = envelope
    const { status, op, n, subject } = request
    const about = { n, isRight: statuses.has(status), says: said(request) }
    const list = listed(envelope)
    for (const { id, statement, isSilent } of open) if (!isSilent) this.#skip(id, op, statement)
    const [reason, ...reasons] = open.filter((one) => one.statuses.includes(status))
    // A refusal that one open stage alone explains shows the tracker's decision there.
    if (reason?.isSilent && reasons.length === 0 && violated.length === 0)
      this.#observations.set(`${reason.id} ${op} ${status}`, {
        ...{ decision: reason.id, operation: op, value: String(status) },
      })
    const stage = violated.find((one) => one.level === 'must') ?? violated[0]
    if (stage) {
      const cause = stage.because?.(request, this.world)
      const why = cause?.n === subject?.ended ? 'deleted it' : 'is why the tracker must refuse this'
      const witnesses = cause?.n ? [did(cause.n, why)] : []
      const detail = stage.detail?.(request, this.world)
      const says = detail === undefined ? about.says : `${about.says}, though ${detail}`
      this.#decide(stage, { ...about, says, op: cause?.op ?? op, level, witnesses }, list)
    } else if (about.isRight && status !== SUCCESS) {
      // The document allows this refusal without demanding it, so nothing is judged.
      this.#skip('success', op, open[0]?.statement ?? '')
    } else {
      const last = this.#lastChange(request)
      if (last) this.#lost.push([request, list, last])
      else this.#decide(success, { ...about, op, witnesses: historyOf(subject) }, list)
    }
  }

  /** The last change of a thing that is not found, where no read has shown it since: preferably one that was served. */
  #lastChange({ status, subject, kind }: Request): Request | undefined {
    if (status !== 404 || !subject || subject.kind === 'known' || kind === 'recipient') return undefined
    const { seen = 0, log } = subject
    const since = this.world.requests.filter(({ n }) => n > seen && log.includes(n))
    return since.findLast((one) => one.status === SUCCESS) ?? since.at(-1)
  }
  /** Blames the request that did not find a thing if another read shows it, and otherwise the last change of the thing. */
  #blameFor(lost: readonly Lost[]): void {
    for (const [request, list, last] of lost) {
      const { subject, n } = request
      const { op } = (subject?.seen ?? 0) > last.n ? request : last
      const about = { op, n, isRight: false, says: said(request), witnesses: historyOf(subject) }
      this.#decide(success, about, list)
    }
  }
  /** A lost or undocumented answer does not tell whether the request was carried out. */
  #learnFrom(request: Request, { statuses, level }: Envelope): void {
    const { world } = this
    const isAllowed = statuses.has(SUCCESS) || level === 'should'
    // A 201 is no documented answer, but no refusal either.
    const isDone = isCarriedOut(request.status)
    const certainty: Certainty = isDone ? (isAllowed ? 'done' : 'forbidden') : 'possible'
    if (certainty === 'done') world.accept(request)
    if (isDocumented(request) && request.status !== SUCCESS) {
      if (!request.isConcurrent) refuse(request, world)
      else if (request.subject && request.status === 404) request.subject.isUnsure = true
    } else take(request, world, certainty)
  }

  #decide(rule: Statement, sighting: Sighting, statuses: readonly number[] = []): void {
    const { op, n, isRight, says = '', witnesses = [], evidence = 1, level = rule.level, place } = sighting
    const { id, section, statement } = rule
    const key = `${id} ${op}`
    const before = this.#verdicts.get(key)
    if (isRight && before && before.count > 0) {
      before.count += 1
      return
    }
    const worst = before?.outcome === 'failed' && before.level === 'must' ? 'must' : level
    const count = (before?.count ?? 0) + 1
    const outcome = isRight ? 'passed' : 'failed'
    this.#verdicts.set(key, { rule: id, operation: op, count, level: worst, outcome })
    if (isRight) return
    this.#findings.push({
      ...{ rule: id, level, section, statement, operation: op, n, allowed: statuses, seen: says },
      ...(place === undefined ? {} : { place }),
      ...{ witnesses, evidence },
    })
  }

  #skip(rule: string, operation: Request['op'], why: string): void {
    const key = `${rule} ${operation}`
    const level = rules.get(rule)?.level ?? 'must'
    if (!this.#verdicts.has(key))
      this.#verdicts.set(key, { rule, operation, level, outcome: 'not judgeable', count: 0, why })
  }
}

const UNDOCUMENTED = 'No answer to such a request has a status that the document names.'

const listed = ({ statuses }: Envelope): number[] => [...statuses].sort((a, b) => a - b)

const said = ({ status, exchange: { text } }: Request): string =>
  status === SUCCESS ? 'answered 200' : `answered ${status} ${text.replace(/^(.{60}).+/s, '$1…')}`.trim()

/** The last changes of a thing, as witnesses. */
const historyOf = (thing: Thing | undefined) =>
  (thing?.log ?? []).slice(-3).map((n) => did(n, 'asked for a change of it before'))
