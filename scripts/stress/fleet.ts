/** `check --targets` on many trackers of different behaviour, in two shards that are merged. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fleetSchema } from '../../conformance/report/fleet.js'
import type { Result, Settings } from './subject.js'

const main = join('dist', 'conformance', 'cli', 'main.js')
const SHARDS = 2
const CONCURRENCY = 4
/** What a request to a tracker that is not on the same machine may take. */
const LATENCY_MS = 30

export async function fleet({ seed, count, tell }: Settings): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'tracker-kit-fleet-'))
  const dead = Math.ceil(count / 40)
  const faulty = Math.ceil(count / 20)
  const trackers = spawn(
    process.execPath,
    [join('scripts', 'stress', 'trackers.mjs'), ...[count, faulty, dead].map(String)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const troubles: string[] = []
  const codes: (number | null)[] = []
  let busy = 0
  const program = async (...args: string[]) => {
    // The shell tells what its children took of the processor, which the other programs of a machine do not change.
    const child = spawn(
      'sh',
      ['-c', '"$0" "$@" > /dev/null; code=$?; times; exit $code', process.execPath, main, ...args],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let said = ''
    let times = ''
    child.stdout.on('data', (chunk) => {
      times += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      const done = said.split('\n').length - 1
      if (/\n$/.test(chunk) && done % 20 === 0) tell(`${done} trackers`)
    })
    const [code] = await once(child, 'close')
    codes.push(code)
    for (const [, minutes, seconds] of (times.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g))
      busy += Number(minutes) * 60 + Number(seconds)
  }
  try {
    const list = join(directory, 'list.txt')
    await writeFile(list, await listOf(trackers.stdout))
    const began = performance.now()
    const out = (name: string | number) => join(directory, `shard-${name}`)
    const common = ['--targets', list, '--seed', String(seed), '--concurrency', String(CONCURRENCY)]
    for (let index = 1; index <= SHARDS; index++)
      await program('check', ...common, '--shard', `${index}/${SHARDS}`, '--out', out(index))
    const seconds = (performance.now() - began) / 1000
    await program(
      'merge',
      ...Array.from({ length: SHARDS }, (_, index) => out(index + 1)),
      '--out',
      out('all'),
    )
    const report = fleetSchema.parse(JSON.parse(await readFile(join(out('all'), 'report.json'), 'utf8')))
    const { verdicts } = report.summary
    const expected = { conforms: count - faulty - dead, deviates: faulty, inconclusive: dead, unusable: 0 }
    if (JSON.stringify(verdicts) !== JSON.stringify(expected))
      troubles.push(`expected ${JSON.stringify(expected)}, saw ${JSON.stringify(verdicts)}`)
    if (codes.at(-1) !== 3) troubles.push(`exit codes ${codes}`)
    const requests = report.targets.reduce((sum, one) => sum + one.requests, 0)
    const each = busy / count
    const rounded = (value: number) => Math.round(value * 10) / 10
    const waiting = ((requests / count) * LATENCY_MS) / 1000
    return {
      figures: {
        trackers: count,
        verdicts: Object.entries(verdicts)
          .map(([name, number]) => `${name} ${number}`)
          .join(', '),
        'most common deviation': `${report.deviations[0]?.requirement}, ${report.deviations[0]?.targets.length} trackers`,
        'requests a tracker': Math.round(requests / count),
        'at a time': CONCURRENCY,
        seconds: Math.round(seconds),
        'processor seconds a tracker': rounded(each),
        [`seconds that a tracker with answers after ${LATENCY_MS} ms takes besides`]: rounded(waiting),
        [`minutes for 10,000 such trackers on 20 machines of 2 cores, ${CONCURRENCY} at a time`]: rounded(
          (10_000 / 20 / 60) * Math.max(each / 2, (each + waiting) / CONCURRENCY),
        ),
      },
      troubles,
    }
  } finally {
    trackers.kill()
    await rm(directory, { recursive: true, force: true })
  }
}

/** All lines until the empty one that ends them. */
async function listOf(output: AsyncIterable<Buffer>): Promise<string> {
  let list = ''
  for await (const chunk of output) {
    list += chunk
    if (list.endsWith('\n\n')) return list
  }
  throw new Error('The trackers did not start')
}
