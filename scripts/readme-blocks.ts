/** The code blocks of the README, for the tests that run them. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')

export interface Block {
  readonly language: string
  /** The word behind the language, where another program than vitest runs it. */
  readonly runner: string
  readonly code: string
}

export const blocks: readonly Block[] = [...readme.matchAll(/^```(\w+)(?: ([\w-]+))?\n(.*?)^```$/gms)].map(
  ([, language = '', runner = '', code = '']) => ({ language, runner, code }),
)

export const blocksIn = (language: string, runner = ''): readonly string[] =>
  blocks.filter((block) => block.language === language && block.runner === runner).map(({ code }) => code)

/** The one block for a runner. */
export function blockFor(runner: string): string {
  const block = blocks.find((one) => one.runner === runner)
  if (!block) throw new Error(`The README has no block for ${runner}`)
  return block.code
}
