/** `tracker-kit judge`: judges recorded traffic by the document, offline. */
import type { ReadHar } from '../client/har-read.js'
import type { OfflineProfile } from '../client/profile.js'
import { knowledgeOf } from '../client/redact.js'
import type { OperationId } from '../contract/index.js'
import { UsageError } from '../contract/trouble.js'
import { NEVER } from '../drive/needs.js'
import type { Exchange } from '../oracle/exchange.js'
import { judge as judgeTrace } from '../oracle/judge.js'
import { belowExtension, match } from '../oracle/operations.js'
import { overlaps } from '../oracle/overlaps.js'
import { judgedReport } from '../report/judged.js'
import { counted } from '../report/words.js'
import { offlineProfile, passedText, readRecording } from './recordings.js'
import { flagsAgain, shellWord } from './replay.js'
import { removeReports } from './report-files.js'
import type { Command, FlagValues } from './usage.js'
import { checkOnly, endRun, judgingFlags, preparePlaces, reportAsked } from './verdict.js'

export const judge: Command = {
  about: `Judges recorded traffic by the documented interface, and sends nothing.
Each FILE is a HAR file: the trace.har of check, or a recording of a browser, a proxy or a test tool.
Several files are one history of one tracker, in the order of their times.
If a recording lacks bodies or callers, judge skips what depends on them. The administrator's token may be in $TRACKER_TOKEN.`,
  flags: {
    profile: [
      'FILE',
      'what is known of the tracker, as JSON: its tokens tell who asked, its fields what must succeed',
    ],
    'base-url': ['URL', 'REST root of the tracker, if the recording has several hosts'],
    ext: ['SEGMENT', "extension path segment, default the profile's, else Ext"],
    ...judgingFlags,
    only: ['ID[,ID]', 'judge only these requirements or operations'],
  },
  takes: 'FILE.har... [flags]',
  examples: [
    'judge traffic.har',
    'judge report/trace.har --profile tracker.json --out judged',
    'judge e2e/*.har --base-url https://tracker.example/api/rest --only getUser',
  ],
  async run({ flags, positionals: files }, io) {
    if (files.length === 0) throw new UsageError('needs a HAR file; see tracker-kit judge --help')
    await removeReports(flags)
    const startedAt = new Date()
    const profile = offlineProfile(flags, io.env)
    const asked = reportAsked(flags)
    checkOnly(asked.only, profile)
    const read = readRecording(files, flags, profile)
    await preparePlaces(asked)

    const { exchanges: trace, passed } = read
    const baseUrl = read.baseUrl ?? flags['base-url'] ?? profile.baseUrl
    const ext = flags.ext ?? profile.ext ?? 'Ext'
    const judgement = judgeTrace(trace, { ...knowledgeOf(profile), baseUrl, ext })
    const idOf = ({ method, path }: Exchange) => match(method, belowExtension(path, ext) ?? '')?.operation.id
    const lossy = new Set(trace.filter(({ lost }) => lost !== undefined).map(idOf))
    const trouble = trace.length === 0 ? nothingIn(read, ext) : null
    const again = flagsAgain(flags, ['profile', 'base-url', 'ext'])
    const line = ['tracker-kit judge', ...files.map(shellWord), ...again].join(' ')
    const about = {
      ...{ tracker: { ...profile, baseUrl, ext }, startedAt, only: asked.only, trouble },
      recording: { files: [...files], passed: [...passed] },
      replay: (requirement: string) => `${line} --only ${requirement}`,
      whyNever: (_: string, operation: OperationId) =>
        lossy.has(operation) ? 'the recording lacks bodies of this operation' : NEVER,
    }
    const report = judgedReport({ ...judgement, trace }, about, asked.gate)
    const advice = trouble === null ? adviceOn(trace, baseUrl, profile, flags) : []
    return endRun({ report, trace, profile: { ...profile, baseUrl }, trouble, advice }, asked, io)
  },
}

/** What the recording lacks, and what may be wrong with the profile. */
function adviceOn(trace: readonly Exchange[], baseUrl: string, profile: OfflineProfile, flags: FlagValues) {
  const { profile: file, 'base-url': given } = flags
  const lost = trace.filter(({ lost: parts = [] }) => parts.includes('text')).length
  const nameless = trace.filter(({ caller }) => caller === 'unknown').length
  const strange = trace.filter(({ caller }) => caller.startsWith('somebody')).length
  const concurrent = overlaps(trace).size
  return [
    file === undefined &&
      'More can be judged with --profile: it says what must succeed, and whose token each one is',
    file !== undefined &&
      given === undefined &&
      profile.baseUrl.replace(/\/+$/, '') !== baseUrl &&
      `The recording is of ${baseUrl}, and the profile is of ${profile.baseUrl}; --base-url ${baseUrl} confirms that both are one tracker`,
    lost > 0 &&
      `${counted(lost, 'answer has', 'answers have')} no body; what a body must hold is not judged there`,
    nameless > 0 &&
      `${counted(nameless, 'request has', 'requests have')} no Authorization header, so judge cannot tell who the caller is`,
    file !== undefined &&
      strange > 0 &&
      `${counted(strange, 'request has a token', 'requests have tokens')} that the profile does not name; judge does not know what their callers may do`,
    concurrent > 0 &&
      `${counted(concurrent, 'request')} overlapped in time with another about the same thing; their order is not judged`,
  ].filter((line) => line !== false)
}

/** Why there is nothing to judge, with a hint at the likely mistake. */
const nothingIn = (read: ReadHar, ext: string) =>
  `there is nothing to judge: no recorded request is an operation of the interface under /plugins/${ext} (${passedText([read]) || 'no entries'})${read.hint}`
