/**
 * Writes `conformance/contract/examples.ts` again from the emulator's answers. A test fails if that is necessary.
 *
 *   npm run openapi-examples
 */
import { writeFileSync } from 'node:fs'
import { examplesOfEmulator } from '../fixtures/examples.js'

const { successes, errors } = await examplesOfEmulator()
const lines = [
  '/** Made by `npm run openapi-examples` from answers of the emulator, which this folder may not import. */',
  "import type { Example, ExampleError } from './example.js'",
  "import type { OperationId } from './operations.js'",
  '',
  'export const successes = {',
  ...Object.entries(successes).map(([id, example]) => `  ${id}: ${JSON.stringify(example)},`),
  '} satisfies Readonly<Record<OperationId, Example>>',
  '',
  'export const errors: readonly ExampleError[] = [',
  ...errors.map((error) => `  ${JSON.stringify(error)},`),
  ']',
  '',
]
writeFileSync('conformance/contract/examples.ts', lines.join('\n'))
