/** Runs the suite for the inspector of `tracker-kit serve`, on a copy of the tracker that is served only for the run. */
import { listen } from '../../emulator/http/listen.js'
import type { RunSuite } from '../../emulator/inspector/suite.js'
import { parseProfile } from '../client/profile.js'
import { check } from '../drive/run.js'
import { runReport } from '../report/checked.js'
import { html } from '../report/html.js'
import { verdictSentence } from '../report/view.js'
import { replayLine } from './replay.js'

/** The number of generated requests: fewer than on the command line, since a person waits. */
const RUNS = 25

export const checkCopy: RunSuite = async (copy, { signal, onProgress }) => {
  const server = await listen(copy, { control: false })
  try {
    const options = {
      profile: parseProfile(copy.profileFor(server.url), 'the inspector'),
      ...({ safety: 'destructive', seed: Math.floor(Math.random() * 2 ** 31), runs: RUNS } as const),
      ...{ timeout: 10_000, rate: 0, budget: 0, ledgerFile: null, only: [] },
    }
    const startedAt = new Date()
    const checked = await check(options, {
      signal,
      onStory: (story, done, total) => onProgress({ story, done, total }),
    })
    const about = { options, only: [], startedAt, replay: replayLine({}, options), vanished: true }
    const report = runReport(checked, about, { failOn: 'must', strict: false, baseline: null })
    return { verdict: report.summary.verdict, sentence: verdictSentence(report), html: html(report) }
  } finally {
    await server.close()
  }
}
