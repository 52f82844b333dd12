/** What the target's answers tell by themselves, without any trying: limits, ids, sessions, and where it leaves the document. */

import { isObject } from '../../client/look.js'
import { redactor } from '../../client/redact.js'
import { documentedStatuses, errorBody, type OperationId, type Profile } from '../../contract/index.js'
import { type Seen, type Step, sessionIn, type Transcript } from '../ask/script.js'

/** What an emulator starts with, whatever is fitted. */
export const givenBy = (transcript: Transcript) => ({
  ...(handsOutTokens(transcript) ? { 'impersonate-effect': 'token' } : {}),
  ...(idsAreStepped(transcript) ? { 'create-id-assignment': 'stepped' } : {}),
})

/** Whatever form it is handed out in: what follows a session depends on there being one. */
const handsOutTokens = (transcript: Transcript) =>
  transcript.some(
    ({ step, seen }) =>
      step.operation === 'impersonateUser' &&
      seen.status === 200 &&
      sessionIn(seen).token !== undefined &&
      sessionIn(seen).cookie === undefined,
  )

/** How far apart the ids of one kind are that the target gave out. */
export function gapsOfIds(transcript: Transcript): number[] {
  const ids = { user: new Set<number>(), field: new Set<number>() }
  for (const { step, bound } of transcript) {
    const { kind = 'session', name = '' } = step.bind ?? {}
    if (kind !== 'session' && bound[name] !== undefined) ids[kind].add(Number(bound[name]))
  }
  return Object.values(ids).flatMap((kind) => {
    const sorted = [...kind].sort((a, b) => a - b)
    return sorted.slice(1).map((id, index) => id - (sorted[index] ?? id))
  })
}

const idsAreStepped = (transcript: Transcript) => {
  const gaps = gapsOfIds(transcript)
  return gaps.length > 0 && gaps.reduce(divisor) > 1
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/** Limits that the target's answers show, as values of the decisions that take any number. */
export function numbersOf(transcript: Transcript): Record<string, readonly unknown[]> {
  const more: Record<string, readonly unknown[]> = {}
  const lengths = transcript
    .filter(({ scenario }) => scenario === 'lengths')
    .map(({ step, seen }) => ({ length: nameOf(step.body).length, fine: seen.status === 200 }))
  const fine = lengths.filter((one) => one.fine).map(({ length }) => length)
  if (fine.length > 0 && lengths.some((one) => !one.fine)) more['cf-name-length'] = [Math.max(...fine)]
  const priorities = transcript
    .filter(({ step, seen }) => step.operation === 'updatePlugin' && seen.status === 200)
    .flatMap(({ step }) => {
      const { priority } = (step.body ?? {}) as { priority?: unknown }
      return typeof priority === 'number' ? [priority] : []
    })
  if (new Set(priorities).size > 1)
    more['plugin-priority-range'] = [{ min: Math.min(...priorities), max: Math.max(...priorities) }]
  for (const gate of [
    'create-permission',
    'impersonate-permission',
    'ext-settings-permission',
    'plugin-permission',
    'recipient-permission',
  ])
    more[gate] = [55, 40, 25, 10]
  return more
}

const nameOf = (body: unknown) =>
  String((body as { custom_field?: { name?: unknown } } | undefined)?.custom_field?.name ?? '')

/** What a target does that the document forbids, by the requirement under which `check` reports it. */
export interface Deviation {
  readonly requirement: string
  readonly operation: OperationId
  readonly message: string
}

/** Where the target leaves the document, each once. */
export function deviationsOf(transcript: Transcript, profile: Profile): Deviation[] {
  const redact = redactor(profile)
  const found = new Map<string, Deviation>()
  for (const { step, seen } of transcript) {
    const fault = faultOf(step, seen)
    if (fault === null) continue
    const [requirement, text] = fault
    const { operation } = step
    const message = redact.text(`${operation} answers ${seen.status}${text}`)
    found.set(`${requirement} ${message}`, { requirement, operation, message })
  }
  return [...found.values()]
}

/** Whether an answer is forbidden, which is not to be learnt. */
export const isDeviation = (step: Step, seen: Seen) => faultOf(step, seen) !== null

/** Of permissions and bodies it depends on the tracker which are refused. */
function faultOf(step: Step, seen: Seen): [requirement: string, text: string] | null {
  const { status, json } = seen
  if (step.suffix !== undefined) return null
  if (!documentedStatuses.includes(status)) return ['status', '']
  if (status >= 400) {
    const member = errorBody.safeParse(json).error?.issues[0]?.path[0]
    const isOptional = member === 'code' || member === 'localized'
    const requirement = isObject(json) && isOptional ? `error.${member}` : 'error.body'
    return errorBody.safeParse(json).success
      ? null
      : [requirement, ' with a body that section 7 does not have']
  }
  if (step.refused === 'resource')
    return [missing(step), ' where the path names nothing that is there: 404 is documented']
  if (step.refused === 'credentials') return ['authentication', ' without a valid token: 401 is documented']
  return json === undefined ? ['success.json', ' without JSON'] : null
}

function missing({ path = {} }: Step): string {
  const [[name, value] = ['', '']] = Object.entries(path)
  const digits = /^\d+$/.test(value)
  return name === 'user_id' || name === 'plugin_name' || digits ? 'not-found' : 'no-integer'
}
