/** `tracker-kit check`: runs the suite on a target, with a verdict for people and files for programs. */
import { askedOf, checkTarget } from './check-target.js'
import { removeReports } from './report-files.js'
import { seedFlag, targetFlags, targetOf } from './target.js'
import type { Command } from './usage.js'
import { judgingFlags } from './verdict.js'

export const check: Command = {
  about: 'Checks a tracker against the documented interface.',
  flags: {
    ...targetFlags,
    'base-url': ['URL', 'REST root of the tracker; without it and a profile, the built-in emulator'],
    targets: [
      'FILE',
      'many trackers: a profile in each line, as the path of its file or as JSON; --out gets a folder for each of them',
    ],
    concurrency: [
      'N',
      'with --targets: check N trackers at a time, default 4; each tracker still gets one request after the other',
      1,
      100,
    ],
    safety: [
      'LEVEL',
      "read, write or destructive: lowers the profile's; default the profile's, else read, and destructive for the built-in emulator",
    ],
    runs: ['N', "number of generated requests; default the baseline's, else 20", 1, 1_000_000],
    seed: seedFlag(
      "seed of generated requests; default the baseline's, else drawn from the run id, else random",
    ),
    ...judgingFlags,
    'fail-on-leftovers': ['', 'exit with 1 if anything is left, as disabled users always are from write on'],
    shard: ['I/N', 'run one part of the stories, or of --targets'],
    'run-id': [
      'ID',
      'name of the run, the same for all its shards; default from GITHUB_RUN_ID, CI_PIPELINE_ID or BUILD_ID',
    ],
    'max-requests': ['N', 'end the run after N requests and the clean-up; default no limit', 1, 10_000_000],
    plan: ['', 'show what the run would do on the tracker, and send nothing'],
  },
  examples: [
    'check',
    'check --base-url https://tracker.example/api/rest --plan',
    'check --profile tracker.json --safety write --out report',
    'check --profile tracker.json --only getUser',
  ],
  async run({ flags }, io) {
    const { signal, terminal, err } = io
    const line = 'cleaning up; press Ctrl-C again to stop at once\n'
    signal.addEventListener('abort', () => err(terminal ? `\r\u001b[K${line}` : line), { once: true })
    await removeReports(flags)
    if (flags.targets !== undefined) {
      // Loaded on demand, like everything that few runs need.
      const { checkFleet } = await import('./fleet.js')
      return checkFleet(flags.targets, flags, io)
    }
    // Checks the flags before a target is started or gets a request.
    const asked = askedOf(flags, io.env)
    return checkTarget(await targetOf(flags, io), asked, io)
  },
}
