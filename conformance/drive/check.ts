/** Drives a target and judges what it answered. */
import type { Finding, Judgement, Verdict } from '../oracle/judge.js'
import { confirmed } from './confirmed.js'
import { type Driven, type DriveOptions, drive, type Following } from './run.js'

export type Checked = Driven & Judgement

export async function check(options: DriveOptions, following?: Following): Promise<Checked> {
  const driven = await drive(options, following)
  const { findings, verdicts, observations } = driven.judgement
  const sure = confirmed(findings, driven.trace)
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
