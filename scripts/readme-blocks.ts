/** The documents for readers, and their code blocks for the tests that run them. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The root of the repository, where npm and vitest start, even for code that is compiled into another folder. */
export const root = process.cwd()

const pagesIn = async (folder: string) =>
  (await readdir(join(root, folder)))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => join(folder, name))

/** The README, then the documents for users, then those for contributors, with their paths from the root. */
const paths = ['README.md', ...(await Promise.all(['docs', 'docs/recipes', '.github'].map(pagesIn))).flat()]

export const documents = await Promise.all(
  paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })),
)

/** The text of all documents. */
export const allText = documents.map(({ text }) => text).join('\n')

/** `runner`: the word after the language, if a program other than vitest runs the block. */
export const blocks = [...allText.matchAll(/^```(\w+)(?: ([\w-]+))?\n(.*?)^```$/gms)].map(
  ([, language = '', runner = '', code = '']) => ({ language, runner, code }),
)

export const blocksIn = (language: string, runner = ''): readonly string[] =>
  blocks.filter((block) => block.language === language && block.runner === runner).map(({ code }) => code)

/** The only block for a runner. */
export function blockFor(runner: string): string {
  const block = blocks.find((one) => one.runner === runner)
  if (!block) throw new Error(`No document has a block for ${runner}`)
  return block.code
}
