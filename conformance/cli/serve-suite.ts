/** The suite for the inspector of `tracker-kit serve`, against a copy of the tracker that is served for the run alone. */

import { listen } from '../../emulator/http/listen.js'
import type { RunSuite } from '../../emulator/inspector/suite.js'
import { parseProfile } from '../client/profile.js'
import { buildReport } from '../report/build.js'
import { html } from '../report/html.js'
import { verdictSentence } from '../report/text.js'
import { planOf } from '../suite/plan.js'
import { startSuite } from '../suite/start.js'
import type { RunOptions } from '../suite/types.js'
import { checkedIn, createTally } from './progress.js'
import { replayLine } from './replay.js'

/** Generated cases of each property: fewer than on the command line, since somebody is waiting. */
const RUNS = 25

export async function checkCopy(
  copy: Parameters<RunSuite>[0],
  { signal, onProgress }: Parameters<RunSuite>[1],
): ReturnType<RunSuite> {
  const server = await listen(copy, { control: false })
  try {
    const options: RunOptions = {
      profile: parseProfile(copy.profileFor(server.url), 'the inspector'),
      safety: 'destructive',
      seed: Math.floor(Math.random() * 2 ** 31),
      runs: RUNS,
      timeout: 10_000,
      rate: 0,
      budget: 0,
      ledgerFile: null,
      only: [],
      survey: false,
      shard: null,
    }
    const plan = planOf(options)
    const tally = createTally(checkedIn(plan))
    const startedAt = new Date()
    const outcome = await startSuite(options, signal, (record) => {
      const { requirement, operation, outcome: each } = record
      const { done, total, failed } = tally(record)
      onProgress({ done, total, failed, requirement, operation, outcome: each })
    })
    const durationMs = Date.now() - startedAt.getTime()
    const replay = replayLine({}, options)
    const finished = { options, plan, ...outcome, startedAt, durationMs, replay, vanishes: true }
    const report = buildReport(finished, { failOn: 'must', strict: false, baseline: null })
    const { verdict, requests } = report.summary
    const count = (wanted: string) =>
      report.requirements.filter(({ outcome: each }) => each === wanted).length
    return {
      verdict,
      sentence: verdictSentence(report),
      counts: { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
      failures: report.failures.map(({ requirement, operation, message }) => ({
        requirement,
        operation,
        message,
      })),
      requests,
      durationMs,
      html: html(report),
    }
  } finally {
    await server.close()
  }
}
