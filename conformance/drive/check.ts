/** Drives a target and judges what it answered. */
import { did } from '../oracle/finding.js'
import type { Finding, Judgement, Verdict } from '../oracle/judge.js'
import { confirmed } from './confirmed.js'
import { type Driven, type DriveOptions, drive, type Following } from './run.js'
import { SHORTEST } from './stories/sequences.js'

export type Checked = Driven & Judgement

export async function check(options: DriveOptions, following?: Following): Promise<Checked> {
  const driven = await drive(options, following)
  const { findings, verdicts, observations } = driven.judgement
  const sure = withSequences(confirmed(findings, driven.trace), driven)
  return { ...driven, findings: sure, verdicts: settled(verdicts, sure, driven), observations }
}

/** The beginning of why a verdict is open where its finding does not count. */
export const ONCE = 'it failed once, and'

/** Only findings that count make a verdict. */
function settled(
  verdicts: readonly Verdict[],
  findings: readonly Finding[],
  { trouble }: Pick<Driven, 'trouble'>,
): Verdict[] {
  const why = `${ONCE} ${trouble === null ? 'could not be made to fail again' : 'the run ended before it could try again'}`
  const failed = new Set(findings.map(({ rule, operation }) => `${rule} ${operation}`))
  return verdicts.map((verdict) =>
    verdict.outcome !== 'failed' || failed.has(`${verdict.rule} ${verdict.operation}`)
      ? verdict
      : { ...verdict, outcome: 'not judgeable', why },
  )
}

/** The findings that a shortest sequence shows come first, and have all of its changes as witnesses. */
function withSequences(findings: readonly Finding[], { stories, trace }: Driven): Finding[] {
  const storyOf = (n: number) => stories.get(n) ?? ''
  const isShort = ({ n }: Finding) => storyOf(n).startsWith(SHORTEST)
  const whole = findings.filter(isShort).map((one) => {
    const steps = trace.filter(
      ({ n, method }) => storyOf(n) === storyOf(one.n) && method !== 'GET' && n < one.n,
    )
    const known = new Set(one.witnesses.map(({ n }) => n))
    const more = steps
      .filter(({ n }) => !known.has(n))
      .map(({ n }) => did(n, 'is a step of the shortest sequence'))
    return { ...one, witnesses: [...one.witnesses, ...more] }
  })
  return [...whole, ...findings.filter((one) => !isShort(one))]
}
