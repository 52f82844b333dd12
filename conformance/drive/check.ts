/** Drives a target and judges what it answered. */
import { did } from '../oracle/finding.js'
import type { Finding, Judgement, Verdict } from '../oracle/judge.js'
import { confirmed, keyOf } from './confirmed.js'
import { type Driven, type DriveOptions, drive, type Following } from './run.js'

export type Checked = Driven & Judgement

export async function check(options: DriveOptions, following?: Following): Promise<Checked> {
  const driven = await drive(options, following)
  const { findings, observations, verdicts } = driven.judgement
  const sure = withSequences(confirmed(findings, driven.trace), driven)
  return { ...driven, findings: sure, verdicts: settled(verdicts, sure, driven), observations }
}

/** The beginning of why a verdict is open where its finding does not count. */
export const ONCE = 'it failed once, and'

/** Only findings that count make a verdict. */
function settled(verdicts: readonly Verdict[], findings: readonly Finding[], { trouble }: Driven): Verdict[] {
  const why = `${ONCE} ${trouble === null ? 'could not be made to fail again' : 'the run ended before it could try again'}`
  const sure = new Set(findings.map(keyOf))
  return verdicts.map((verdict) =>
    verdict.outcome !== 'failed' || sure.has(keyOf(verdict))
      ? verdict
      : { ...verdict, outcome: 'not judgeable', why },
  )
}

/** The findings that a shortest sequence shows come first, and have all of its changes as witnesses. */
function withSequences(findings: readonly Finding[], { sequences, trace }: Driven): Finding[] {
  const [whole, others]: [Finding[], Finding[]] = [[], []]
  for (const one of findings) {
    const shortest = sequences.find(({ from, to, isShortest }) => isShortest && one.n > from && one.n <= to)
    const known = new Set(one.witnesses.map(({ n }) => n))
    const steps = trace
      .slice(shortest?.from, one.n - 1)
      .filter(({ n, method }) => method !== 'GET' && !known.has(n))
      .map(({ n }) => did(n, 'is a step of the shortest sequence'))
    if (shortest) whole.push({ ...one, witnesses: [...one.witnesses, ...steps] })
    else others.push(one)
  }
  return [...whole, ...others]
}
