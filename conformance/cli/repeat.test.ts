/** The same seed gives the same run: the program twice, against two fresh trackers with the same faults. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker } from '../../emulator/index.js'
import { faultyTrackers } from '../../fixtures/faulty/index.js'
import { temporaryFolder } from '../../fixtures/folder.js'
import { isLong } from '../../fixtures/long.js'
import { run } from '../../fixtures/program.js'
import { reportSchema } from '../report/report.js'

const directory = temporaryFolder()

const faults = [
  'createUser answers 201 for a success',
  'updateCustomField changes nothing every third time',
  'manageColumns saves nothing every fourth time',
].map((text) => {
  const found = faultyTrackers.find(({ id }) => id.endsWith(`: ${text}`))
  if (!found) throw new Error(`There is no faulty tracker "${text}"`)
  return found
})

/**
 * What the report says of the failures, apart from what cannot be the same: address, time of
 * day, and the mark of the run.
 */
async function failuresOf(name: string): Promise<string> {
  const tracker = await createTracker({ now: '2026-01-01T00:00:00Z' })
  let faulty = tracker
  for (const { wrap } of faults) faulty = { ...faulty, fetch: wrap(faulty) }
  const server = await listen(faulty)
  try {
    const profile = join(directory, `${name}.json`)
    await writeFile(profile, JSON.stringify(tracker.profileFor(server.url)))
    const out = join(directory, name)
    const args = ['--safety', 'destructive', '--seed', '5', '--runs', '20', '--out', out]
    const { code } = await run('check', '--profile', profile, ...args)
    expect(code).toBe(1)
    const report = reportSchema.parse(JSON.parse(await readFile(join(out, 'report.json'), 'utf8')))
    expect(report.failures.length).toBeGreaterThan(3)
    const escaped = JSON.stringify(report.failures, (key, value) => (key === 'date' ? undefined : value))
    // A body that was sent in escapes stands so in its curl line.
    const text = escaped.replace(/\\\\u00([0-9a-f]{2})/g, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    return text.replaceAll(server.origin, 'ORIGIN').replaceAll(out, 'OUT').replaceAll(markIn(text), 'MARK')
  } finally {
    await server.close()
  }
}

/** Names that a run makes up begin with `tk` and five characters that no other run has. */
const markIn = (text: string): string => /\btk[0-9a-z]{5}(?=x)/.exec(text)?.[0] ?? 'no mark'

// Two whole runs; that the same requests are sent is tested with the driver.
test.runIf(isLong)('equal seeds give equal failures', async () => {
  expect(await failuresOf('second')).toBe(await failuresOf('first'))
})
