import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{emulator,conformance,fixtures,scripts}/**/*.test.ts'],
    // Many tests start programs of their own; a busy machine must not fail them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
