/** `tracker-kit vary`: runs a command under other legal trackers, and finds the decisions that make it fail. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { drawOf, resolveDecisions, VARIABLE, type Variation } from '../../emulator/decisions/index.js'
import { type DecisionId, type Decisions, ledger } from '../../emulator/index.js'
import { writtenValue } from '../contract/decisions/index.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { shellQuote } from '../report/curl.js'
import { counted } from '../report/words.js'
import { smallest } from './smallest.js'
import { type Command, exitCodes, type FlagValues, type Io, integerOf } from './usage.js'

export const vary: Command = {
  about:
    'Runs a command, such as your tests, under other trackers that the document allows. If it fails, vary names a smallest set ' +
    'of decisions that makes it fail. createTracker({ vary: {} }) and serve --vary "$TRACKER_KIT_VARY" make trackers that vary.',
  flags: {
    run: ['COMMAND', 'command to run, for example "npm test"; any exit code but 0 is a failure'],
    seed: ['N', 'draw by this seed only; default 1, 2, 3 and so on', 0, 2 ** 32 - 1],
    tries: ['N', 'number of seeds, default 10', 1, 1000],
    only: ['NAME[,NAME]', 'draw only these groups and decisions'],
    keep: ['NAME[,NAME]', 'leave these groups and decisions at their defaults'],
    wild: ['', 'also draw success bodies, and what a request must have, as createTracker({ vary: 7 }) does'],
  },
  examples: ['vary --run "npm test"', 'vary --run "npm test" --seed 7 --keep rights,lists'],
  async run({ flags }, io) {
    const { run: command } = flags
    if (command === undefined) throw new UsageError('needs --run COMMAND, for example --run "npm test"')
    const { seeds, variation } = asked(flags)
    let runs = 0
    const fails = async (environment: string, what: string) => {
      runs += 1
      io.err(`run ${runs}: ${what}: `)
      const end = await runOf(command, environment, io)
      io.err(end === null ? 'passed\n' : 'failed\n')
      return end
    }
    const failsUnder = (draw: Pick<Variation, 'seed' | 'only'>, again = '') =>
      fails(JSON.stringify(draw), `seed ${draw.seed}, ${counted(draw.only?.length ?? 0, 'decision')}${again}`)

    const begun = performance.now()
    const plain = await fails('{}', 'the defaults')
    const seconds = (performance.now() - begun) / 1000
    if (plain !== null)
      throw new UsageError(
        `${command} fails under the defaults already; make it pass first. It ends with: ${plain}`,
      )
    // `createTracker` rejects this value, so a command that makes a tracker fails.
    if ((await fails('is anybody there', `an invalid ${VARIABLE}, under which it must fail`)) === null)
      throw new UsageError(
        `${command} starts no tracker that reads ${VARIABLE}; give createTracker() the option vary: {}, or start serve --vary "$${VARIABLE}", and pass the variable on`,
      )
    // Decisions that were found are left out afterwards, so that the next ones show.
    const without: DecisionId[] = []
    const summary: string[] = []
    const idle = seeds.filter((seed) => drawnBy({ ...variation, seed }).length === 0)
    if (idle.length === seeds.length)
      throw new UsageError(`${seedsOf(idle)} would change no decision; give another --seed, or more --tries`)
    const count = seeds.length - idle.length
    const time = `about ${Math.ceil(seconds * count)} s`
    io.err(
      `${counted(count, 'seed')} to try: ${time} if all pass; each decision that it finds takes ten to forty runs more\n`,
    )
    for (const seed of seeds) {
      for (;;) {
        const all = drawnBy({ ...variation, seed }).filter((id) => !without.includes(id))
        if (all.length === 0 || (await failsUnder({ seed, only: all })) === null) break
        const steady = async (only: readonly DecisionId[]) => {
          const end = await failsUnder({ seed, only }, ' once more')
          if (end !== null) return end
          throw new UnreachableError(`${command} fails by chance: it failed under the same draw before`)
        }
        await steady(all)
        const part = await smallest(all, async (only) => (await failsUnder({ seed, only })) !== null)
        const end = await steady(part)
        io.out(found(command, { seed, all, part, end, without }))
        without.push(...part)
        summary.push(`  seed ${seed}: ${choiceOf(decisionsOf({ seed, only: part }), part)}`)
      }
    }
    const isWhole = variation.wild || variation.only !== undefined
    const undrawn = 'Not drawn: success bodies, and what a request must have; --wild draws them too.\n'
    const tame = isWhole ? '' : undrawn
    const times = seedsOf(seeds.filter((seed) => !idle.includes(seed)))
    const rest = idle.length === 0 ? '' : `; ${seedsOf(idle)} would change no decision and had no run`
    if (without.length === 0) {
      io.out(`${command} passes under the defaults and under ${times}${rest}\n`)
      io.out(tame)
      return exitCodes.ok
    }
    const head = `Summary of ${times}${rest}: ${command} relies on the defaults of ${counted(without.length, 'decision')}`
    io.out([head, ...summary, 'It passes under all other decisions that were drawn.', tame].join('\n'))
    return exitCodes.deviates
  },
}

const seedsOf = (seeds: readonly number[]) => `seed${seeds.length === 1 ? '' : 's'} ${seeds.join(', ')}`

/** The values in the form that `createTracker` accepts. */
const choiceOf = (decisions: Decisions, part: readonly DecisionId[]): string =>
  part.map((id) => `'${id}': ${JSON.stringify(decisions[id]).replaceAll('"', "'")}`).join(', ')

function asked(flags: FlagValues): { readonly seeds: readonly number[]; readonly variation: Variation } {
  const tries = integerOf(flags, 'tries', 10)
  const seed = integerOf(flags, 'seed', -1)
  const names = (text: string | undefined) => text?.split(',') as Variation['only'] | undefined
  const only = names(flags.only)
  const keep = names(flags.keep)
  const variation = { ...(only && { only }), ...(keep && { keep }), wild: flags.wild !== undefined }
  try {
    drawOf(variation, undefined)
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/^vary: /, ''))
  }
  return { seeds: seed < 0 ? Array.from({ length: tries }, (_, index) => index + 1) : [seed], variation }
}

const decisionsOf = (variation: Variation): Decisions => resolveDecisions({}, drawOf(variation, undefined))

/** The decisions that a draw changes from the defaults. */
function drawnBy(variation: Variation): DecisionId[] {
  const [drawn, defaults] = [decisionsOf(variation), resolveDecisions()]
  const ids = Object.keys(ledger) as DecisionId[]
  return ids.filter((id) => JSON.stringify(drawn[id]) !== JSON.stringify(defaults[id]))
}

/** The end of the command's output if it failed; otherwise null. */
async function runOf(command: string, environment: string, { env, signal }: Io): Promise<string | null> {
  // A process group, so that everything that the shell started can be ended.
  const child = spawn(command, {
    shell: true,
    detached: process.platform !== 'win32',
    env: { ...env, [VARIABLE]: environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000)
    })
  const stop = () => {
    if (child.pid === undefined) return
    if (process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGTERM')
  }
  signal.addEventListener('abort', stop)
  try {
    // Rejects if the shell cannot be started.
    const [code] = await once(child, 'close')
    if (signal.aborted) throw new UsageError('cancelled')
    return code === 0 ? null : stripVTControlCharacters(said).trim().split('\n').slice(-LAST_LINES).join('\n')
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The failures are above the summary of a test runner, so the end must be long enough. */
const LAST_LINES = 30

/** `end`: the output of the run with only `part`. `without`: decisions that were found before and left out. */
type Found = Readonly<
  { seed: number; end: string } & Record<'all' | 'part' | 'without', readonly DecisionId[]>
>

function found(command: string, { seed, all, part, end, without }: Found): string {
  const drawn = decisionsOf({ seed, only: part })
  const lines = part.flatMap((id) => {
    const { question, values, default: fallback } = ledger[id]
    const said = (value: unknown) => {
      const sentence: string | undefined = Reflect.get(values, writtenValue(value))
      return `${writtenValue(value)}${sentence === undefined ? '' : `: ${sentence}`}`
    }
    return [`${id}: ${question}`, `  fails with   ${said(drawn[id])}`, `  the default  ${said(fallback)}`, '']
  })
  return [
    `${command} passes under the defaults and fails under seed ${seed}, which changes ${counted(all.length, 'decision')}${without.length > 0 ? ' that no earlier result names' : ''}`,
    `${part.length === 1 ? 'One decision alone makes' : `${part.length} decisions together make`} it fail:`,
    '',
    ...lines,
    `Again:      ${VARIABLE}=${shellQuote(JSON.stringify({ seed, only: part }))} ${command}`,
    `In code:    createTracker({ decisions: { ${choiceOf(drawn, part)} } })`,
    `To pin it:  createTracker({ vary: {}, decisions: { ${choiceOf(resolveDecisions(), part)} } }), if your client may rely on the default`,
    `As server:  tracker-kit serve --decisions FILE, where FILE holds ${JSON.stringify(Object.fromEntries(part.map((id) => [id, drawn[id]])))}`,
    '',
    'With nothing else changed, the command ended with:',
    ...end.split('\n').map((line) => `  ${line}`),
    '',
  ].join('\n')
}
