import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** One of these at the end would leave all other workers idle. */
const longest = [
  'fixtures/faulty/faulty.test.ts',
  'conformance/learn/learn.test.ts',
  'fixtures/legal/varied.test.ts',
  'scripts/readme.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((file) => moduleId.endsWith(`/${file}`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    // Those that need a browser run by `npm run test:browser` alone.
    include: [`{emulator,conformance,fixtures,scripts}/**/*.${mode === 'browser' ? 'browser' : 'test'}.ts`],
    // Each file would load everything anew, which takes as long as many of them run.
    isolate: false,
    // By default one core is left idle, which is half of a small machine.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    // Many tests start programs of their own; a busy machine must not fail them.
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
}))
