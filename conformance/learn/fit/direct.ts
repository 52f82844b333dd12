/** What the target's answers tell by themselves, without any trying: limits, ids, sessions, and where it leaves the document. */
import { documentedStatuses, errorBody, type Profile } from '../../contract/index.js'
import { redactor } from '../../target/redact.js'
import { sessionIn, type Transcript } from '../ask/script.js'

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

/** What a success passes over. Of permissions and bodies it depends on the tracker which are refused. */
const unheeded = {
  resource: 'where the path names nothing that is there: 404 is documented',
  credentials: 'without a valid token: 401 is documented',
} as const

/** Where the target leaves the document, each once. */
export function deviationsOf(transcript: Transcript, profile: Profile): string[] {
  const redact = redactor(profile)
  const found = new Set<string>()
  for (const { step, seen } of transcript) {
    if (step.suffix !== undefined) continue
    if (!documentedStatuses.includes(seen.status)) found.add(`${step.operation} answers ${seen.status}`)
    else if (seen.status < 400 && (step.refused === 'resource' || step.refused === 'credentials'))
      found.add(`${step.operation} answers ${seen.status} ${unheeded[step.refused]}`)
    else if (seen.status >= 400 && !errorBody.safeParse(seen.json).success)
      found.add(`${step.operation} answers ${seen.status} with a body that section 7 does not have`)
    else if (seen.json === undefined) found.add(`${step.operation} answers ${seen.status} without JSON`)
  }
  return [...found].map(redact.text)
}
