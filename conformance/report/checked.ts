/** The report of a run: what it drove, judged. */
import type { OperationId, Safety } from '../contract/index.js'
import { operationIds } from '../contract/index.js'
import type { Checked } from '../drive/check.js'
import { whyNever } from '../drive/needs.js'
import type { DriveOptions } from '../drive/run.js'
import { type Judgement, rules } from '../oracle/judge.js'
import { judgedReport } from './judged.js'
import { profileDigest } from './profile-digest.js'
import type { Report } from './report.js'
import { type Gate, nextLevel } from './verdict.js'

export interface RunAbout {
  readonly options: DriveOptions
  /** Requirement or operation ids; nothing else is accused. */
  readonly only: readonly string[]
  readonly startedAt: Date
  /** The command line that runs one requirement again. */
  readonly replay: (requirement: string) => string
  /** The target ends with the run. */
  readonly vanished: boolean
  /** What the command line knows, and a run that nobody typed has not. */
  readonly line?: {
    readonly runId: string | null
    /** Whether somebody chose the seed. */
    readonly seedGiven: boolean
    /** The same command at another level. */
    readonly rest: (safety: Safety) => string
  }
}

/** What a run needs to send for these requirement or operation ids; empty for all. */
export const operationsFor = (only: readonly string[]): OperationId[] => {
  const wanted = new Set(only.flatMap((id): readonly string[] => rules.get(id)?.operations ?? [id]))
  return operationIds.filter((operation) => wanted.has(operation))
}

export function runReport(checked: Checked, about: RunAbout, gate: Gate): Report {
  const { options, only, startedAt, replay, vanished, line } = about
  const { profile, safety, seed, runs, shard = null } = options
  const { leftovers, mistakes } = checked
  const trouble = checked.trouble ?? refusedCreations(checked)
  const report = judgedReport(
    checked,
    {
      target: { baseUrl: profile.baseUrl, ext: profile.ext ?? 'Ext' },
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      runId: line?.runId ?? null,
      settings: { only: [...only], seedGiven: line?.seedGiven ?? false, profile: profileDigest(profile) },
      ...{ seed, runs, safety, shard, trouble, vanished, replay },
      rest: null,
      observations: [...checked.observations],
      profile: [...mistakes],
      leftovers: [...leftovers],
      recording: null,
      notImplemented: profile.notImplemented ?? [],
      whyNever: whyNever(options, checked),
    },
    gate,
  )
  const next = nextLevel(report.requirements, safety)
  return {
    ...report,
    rest: next === null || !mayRise(profile.safety, next) ? null : (line?.rest(next) ?? null),
  }
}

/** Where the target accepts no creation, most of what a run does cannot be judged. */
function refusedCreations({ verdicts }: Checked): string | null {
  const creations = verdicts.filter(
    ({ rule, operation }) =>
      rule === 'success' && (operation === 'createUser' || operation === 'createCustomField'),
  )
  const refused = creations.filter(({ outcome }) => outcome === 'not judgeable')
  if (refused.length === 0 || creations.some(({ outcome }) => outcome === 'passed' || outcome === 'failed'))
    return null
  const names = refused.map(({ operation }) => operation).join(' and ')
  return `the target accepted no request of ${names}, and without one most of what a run does cannot be judged`
}

const mayRise = (most: Safety | undefined, next: Safety) =>
  most === undefined || most === next || most === 'destructive'

/** Of a run that ended before it had sent anything to judge. */
export const nothingSeen = (trouble: string): Checked => {
  const judgement: Judgement = { findings: [], verdicts: [], observations: [] }
  return {
    ...{ ...judgement, judgement, trace: [], stories: new Map(), leftovers: [], mistakes: [] },
    ...{ knowledge: { baseUrl: '', callers: [] }, withheld: new Map(), trouble, requests: 0 },
  }
}
