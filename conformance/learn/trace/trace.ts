/** What a trace says of a tracker: its calls, what was there before, and what the document does not allow of it. */

import { idAround } from '../../client/look.js'
import type { OfflineProfile } from '../../client/profile.js'
import { SUCCESS } from '../../contract/index.js'
import type { Exchange } from '../../oracle/exchange.js'
import type { Finding } from '../../oracle/finding.js'
import { forms } from '../../oracle/forms.js'
import { parsed } from '../../oracle/json.js'
import { Oracle } from '../../oracle/judge.js'
import type { Knowledge } from '../../oracle/knowledge.js'
import { learn as placesOf } from '../../oracle/learn-places.js'
import { overlaps } from '../../oracle/overlaps.js'
import type { Request } from '../../oracle/request.js'
import { stages } from '../../oracle/stages.js'
import type { World } from '../../oracle/world.js'
import { type Mirror, mirrorOf } from './mirror.js'
import { type Recorded, recordedOf, revealing, type Sent, secretOf } from './recorded.js'

export interface Trace {
  readonly exchanges: readonly Exchange[]
  /** Of those that this process has sent itself, what was sent, with secrets and in whatever writing. */
  readonly sent?: ReadonlyMap<number, Sent>
}

/** One trace or several, each of which begins with a state of its own. */
export interface Recording {
  readonly calls: readonly Recorded[]
  /** By the part. */
  readonly mirrors: readonly Mirror[]
  /** Outside of what the document allows. */
  readonly findings: readonly Finding[]
}

/** What a pseudonym of the trace stands for, where that is known. */
export type Known = (pseudonym: string) => string | undefined

/** Pure: the same traces give the same recording. */
export function recordingOf(
  traces: readonly Trace[],
  knowledge: Knowledge,
  known: Known = () => undefined,
): Recording {
  const parts = traces.map((trace, part) => partOf(trace, part, knowledge, known))
  return {
    calls: parts.flatMap(({ calls }) => calls),
    mirrors: parts.map(({ mirror }) => mirror),
    findings: parts.flatMap(({ findings }) => findings),
  }
}

function partOf({ exchanges, sent = new Map() }: Trace, part: number, knowledge: Knowledge, known: Known) {
  const oracle = new Oracle(knowledge, overlaps(exchanges))
  for (const exchange of exchanges) oracle.step(exchange)
  const { world } = oracle
  // Whether a tracker minds how a valid token is written, the document does not say.
  const isWritten = (n: number) => sent.get(n)?.authorization?.includes(secretOf('')) ?? false
  const findings = oracle.end().findings.filter((one) => isDeviation(one) && !isWritten(one.n))
  const reveal = revealing(world.requests, known)
  const wrong = new Set(findings.map(({ n }) => n))
  return {
    calls: asSent(recordedOf(world.requests, idsIn(world), { part, wrong, reveal }), exchanges, sent),
    mirror: mirrorOf({ world, places: placesOf(world.sights), knowledge, reveal }),
    findings,
  }
}

/** An answer that has another form than the documented ones, or that does what the document demands to refuse. */
const isDeviation = ({ rule, seen, level }: Finding) =>
  forms.some(({ id }) => id === rule) ||
  (level === 'must' && seen === 'answered 200' && stages.some(({ id }) => id === rule))

/** What is known of a request by itself goes before what its exchange says. */
function asSent(
  recorded: readonly Recorded[],
  exchanges: readonly Exchange[],
  sent: ReadonlyMap<number, Sent>,
): readonly Recorded[] {
  if (sent.size === 0) return recorded
  const known = new Map(recorded.map((one) => [one.n, one]))
  return exchanges.flatMap((exchange) => {
    const { n, caller, status, responseHeaders, text } = exchange
    const [own, one] = [sent.get(n), known.get(n)]
    if (!own || status === 0) return one ?? []
    const seen = { status, json: parsed(text), headers: responseHeaders }
    // A session is presented as the emulator has handed it out.
    if (caller.startsWith('session:') && one) return { ...one, text: own.text, body: own.body }
    return { n, part: 0, seen, given: [], isWrong: false, ...one, ...own }
  })
}

/** Ids of what the trace has made, wherever an answer tells them. */
function idsIn({ requests, things }: World): (request: Request) => number | null {
  const taken = new Set<string>()
  return ({ n, op }) => {
    const thing = things.find(({ born }) => born === n)
    const kind = op === 'createUser' ? 'user' : 'field'
    if (!thing) return null
    // It may have had another name when an answer told its id.
    const shown = [...thing.names].flatMap((name) => idShown(name, kind) ?? [])
    const told = thing.id ?? shown[0] ?? thing.candidates[0]
    if (told === undefined || taken.has(`${kind} ${told}`)) return null
    taken.add(`${kind} ${told}`)
    return Number(told)
  }

  function idShown(name: string, kind: 'user' | 'field'): string | undefined {
    for (const { status, answer, op } of requests) {
      if (status !== SUCCESS || answer === undefined || !/user|field/i.test(op)) continue
      const found = idAround(answer, name, kind)
      if (found?.sure) return String(found.id)
    }
    return undefined
  }
}

/** What the pseudonyms of a trace stand for, as far as a profile has it. */
export function knownIn({ tokens, passwordAccount, password }: OfflineProfile) {
  const secrets = { token: tokens, account: passwordAccount, password }
  return (pseudonym: string): string | undefined => {
    const [, group = '', name = ''] = pseudonym.split('.')
    const found = (secrets as Readonly<Record<string, object | undefined>>)[group]
    return found === undefined ? undefined : Reflect.get(found, name)
  }
}
