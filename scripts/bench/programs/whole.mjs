/**
 * One run of the suite on the built-in emulator, in this process. The seed is fixed, so that more cases are only added to
 * the others. `whole.mjs DIST OUT RUNS`
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processorMs } from './time.mjs'

const [dist, out, runs] = process.argv.slice(2)
const { main } = await import(join(dist, 'conformance/cli/main.js'))
const nowhere = () => undefined
const io = {
  ...{ out: nowhere, err: nowhere, paint: (_, text) => text, env: {}, terminal: false },
  signal: new AbortController().signal,
}
const [start, before] = [performance.now(), processorMs()]
const code = await main(['check', '--runs', runs, '--seed', '1', '--out', out], io)
const [ms, processor] = [performance.now() - start, processorMs() - before]
if (code !== 0) throw new Error(`the run ended with ${code}; see ${out}`)
const { summary } = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'))
console.log(JSON.stringify({ ms, processorMs: processor, requests: summary.requests }))
