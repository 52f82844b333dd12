/** Drives a target and judges what it answered. */
import type { Judgement } from '../oracle/judge.js'
import { confirmed } from './confirmed.js'
import { type Driven, type DriveOptions, drive, type Following } from './run.js'

export type Checked = Driven & Judgement

export async function check(options: DriveOptions, following?: Following): Promise<Checked> {
  const driven = await drive(options, following)
  const { findings, ...rest } = driven.judgement
  return { ...driven, findings: confirmed(findings), ...rest }
}
