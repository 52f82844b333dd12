/** What a trace shows of a tracker: its calls, its state before them, and its deviations from the document. */
import { type IdNames, idAround, idNamesIn } from '../../client/look.js'
import type { OfflineProfile } from '../../client/profile.js'
import { knowledgeOf } from '../../client/redact.js'
import { SUCCESS } from '../../contract/index.js'
import { at } from '../../contract/templates.js'
import type { Exchange } from '../../oracle/exchange.js'
import type { Finding } from '../../oracle/finding.js'
import { forms } from '../../oracle/forms.js'
import { isObject, parsed } from '../../oracle/json.js'
import { Oracle } from '../../oracle/judge.js'
import type { Knowledge } from '../../oracle/knowledge.js'
import { learn as placesOf } from '../../oracle/learn-places.js'
import { overlaps } from '../../oracle/overlaps.js'
import { membersOf, type Request } from '../../oracle/request.js'
import { stages } from '../../oracle/stages.js'
import type { World } from '../../oracle/world.js'
import { type Recorded, recordedOf, revealing, type Sent, secretOf } from './recorded.js'

export interface Trace {
  readonly exchanges: readonly Exchange[]
  /** The requests that this process has sent itself, by number, with their secrets and exactly as written. */
  readonly sent?: ReadonlyMap<number, Sent>
}

/** The calls of one or several traces. Each trace begins with its own starting state. */
export type Recording = Readonly<ReturnType<typeof recordingOf>>

/** Converts traces to a recording. Pure: the same traces give the same recording. */
export function recordingOf(traces: readonly Trace[], profile: OfflineProfile) {
  const parts = traces.map((trace, part) => partOf(trace, part, profile))
  return {
    calls: parts.flatMap(({ calls }) => calls),
    /** One for each trace, in their order. */
    mirrors: parts.map(({ mirror }) => mirror),
    /** Answers that the document does not allow. */
    findings: parts.flatMap(({ findings }) => findings),
  }
}

/** What a trace and a profile show of a tracker's state before the trace. An emulator may start from it. */
export type Mirror = ReturnType<typeof partOf>['mirror']

function partOf({ exchanges, sent = new Map() }: Trace, part: number, profile: OfflineProfile) {
  const knowledge = knowledgeOf(profile)
  const oracle = new Oracle(knowledge, overlaps(exchanges))
  for (const exchange of exchanges) oracle.step(exchange)
  const { world } = oracle
  // The document does not say whether a tracker accepts every spelling of a valid token.
  const isWritten = (n: number) => sent.get(n)?.authorization?.includes(secretOf('')) ?? false
  const findings = oracle.end().findings.filter((one) => isDeviation(one) && !isWritten(one.n))
  const reveal = revealing(world.requests, (pseudonym) => secretIn(profile, pseudonym))
  const wrong = new Set(findings.map(({ n }) => n))
  const idNames = idNamesIn(world.requests)
  const idOf = idsIn(world, idNames)
  return {
    calls: asSent(recordedOf(world.requests, idOf, { part, wrong, reveal }), { exchanges, sent }),
    mirror: {
      ...{ world, places: placesOf(world.sights), knowledge, idNames },
      /** Replaces the pseudonyms of passwords by passwords. */
      reveal,
      /** The ids of projects. */
      projects: projectsOf(world.requests, knowledge),
    },
    findings,
  }
}

function projectsOf(requests: readonly Request[], { projects = [], columns }: Knowledge): string[] {
  const idsIn = (value: unknown): string[] =>
    [value].flat().flatMap((one) => {
      const id = isObject(one) ? one.id : one
      return typeof id === 'string' || typeof id === 'number' ? String(id) : []
    })
  const asked = requests.map((request) => {
    const { project_ids: ids, projects: listed, project } = membersOf(request)
    // A refusal for a missing permission does not show whether the projects exist.
    const isShown = request.status === SUCCESS || request.status === 403
    const what = request.op.replace(/^(create|update)/, '')
    return { what, isShown, ids: [...new Set([ids, listed, project].flatMap(idsIn))] }
  })
  // Operations of one kind may pass over projects that do not exist. A refusal may have another reason.
  const isThere = (id: string) => {
    const about = asked.filter(({ ids }) => ids.includes(id))
    const accepted = new Set(about.flatMap(({ what, isShown }) => (isShown ? what : [])))
    const isRefused = about.some(({ what, ids }) => ids.length === 1 && !accepted.has(what))
    return accepted.size > (isRefused ? 1 : 0)
  }
  const named = asked.flatMap(({ ids }) => ids).filter(isThere)
  const found = new Set([...projects, ...idsIn(columns?.project), ...named])
  // A request may have sent 0, which is no id.
  found.delete('0')
  return found.size === 0 ? ['1', '2'] : [...found]
}

/** Whether an answer has an undocumented form, or accepts a request that the document demands to refuse. */
const isDeviation = ({ rule, seen, level }: Finding) =>
  forms.some(({ id }) => id === rule) ||
  (level === 'must' && seen === 'answered 200' && stages.some(({ id }) => id === rule))

/** Replaces what the trace shows of a request by what this process has sent, where that is known. */
function asSent(recorded: readonly Recorded[], { exchanges, sent }: Required<Trace>): Recorded[] {
  const known = new Map(recorded.map((one) => [one.n, one]))
  return exchanges.flatMap(({ n, caller, status, responseHeaders: headers, text }) => {
    const [own, one] = [sent.get(n), known.get(n)]
    if (!own || status === 0) return one ?? []
    // The emulator's own credentials are used for a session.
    if (caller.startsWith('session:') && one) return { ...one, text: own.text, body: own.body }
    return { n, part: 0, seen: { status, json: parsed(text), headers }, isWrong: false, ...one, ...own }
  })
}

/** The ids of the users and fields that the trace has created, as any answer shows them. */
function idsIn({ requests, things }: World, idNames: IdNames): (request: Request) => number | null {
  const taken = new Set<string>()
  const served = requests.filter(({ status, op }) => status === SUCCESS && /user|field/i.test(op))
  return ({ n, op }) => {
    const thing = things.find(({ born }) => born === n)
    const kind = op === 'createUser' ? 'user' : 'field'
    if (!thing) return null
    // The thing may have had another name when an answer showed its id.
    const idIn = (answer: unknown) =>
      [...thing.names].map((name) => idAround(answer, name, kind, idNames[kind])).find((found) => found?.sure)
    const first = served.find(({ answer }) => idIn(answer))?.answer
    const told = thing.id ?? idIn(first)?.id ?? thing.candidates[0]
    if (told === undefined || taken.has(`${kind} ${told}`)) return null
    taken.add(`${kind} ${told}`)
    return Number(told)
  }
}

/** What a pseudonym of a trace stands for, as far as the profile has it. */
function secretIn({ tokens, passwordAccount, password }: OfflineProfile, pseudonym: string) {
  const found = at({ token: tokens, account: passwordAccount, password }, pseudonym.replace('SECRET.', ''))
  return typeof found === 'string' ? found : undefined
}
