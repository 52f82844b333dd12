/** Drives a target and judges what it answered. */
import { did } from '../oracle/finding.js'
import type { Finding, Judgement, Verdict } from '../oracle/judge.js'
import { confirmed } from './confirmed.js'
import { type Driven, type DriveOptions, drive, type Following } from './run.js'

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
function withSequences(findings: readonly Finding[], { sequences, trace }: Driven): Finding[] {
  const whole: Finding[] = []
  const others: Finding[] = []
  for (const one of findings) {
    const { n, witnesses } = one
    const shortest = sequences.find(({ from, to, isShortest }) => isShortest && n > from && n <= to)
    if (!shortest) others.push(one)
    else {
      const known = new Set(witnesses.map((witness) => witness.n))
      const steps = trace.slice(shortest.from, n - 1).filter((step) => step.method !== 'GET')
      const more = steps.filter((step) => !known.has(step.n))
      const further = more.map((step) => did(step.n, 'is a step of the shortest sequence'))
      whole.push({ ...one, witnesses: [...witnesses, ...further] })
    }
  }
  return [...whole, ...others]
}
