import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['{emulator,conformance,fixtures,scripts}/**/*.test.ts'] },
})
