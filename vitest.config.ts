import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  test: {
    // Those that need a browser run by `npm run test:browser` alone.
    include: [`{emulator,conformance,fixtures,scripts}/**/*.${mode === 'browser' ? 'browser' : 'test'}.ts`],
    // Each file would load everything anew, which takes as long as many of them run.
    isolate: false,
    // By default one core is left idle, which is half of a small machine.
    maxWorkers: '100%',
    // Many tests start programs of their own; a busy machine must not fail them.
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
}))
