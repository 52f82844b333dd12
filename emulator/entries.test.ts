import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** What importing a module loads at once, from outside this repository. What is imported on demand does not count. */
async function loads(entry: string): Promise<string[]> {
  const packages = new Set<string>()
  const seen = new Set<string>()
  const visit = async (url: URL): Promise<void> => {
    if (seen.has(url.href)) return
    seen.add(url.href)
    const source = await readFile(fileURLToPath(url), 'utf8')
    for (const [, from = ''] of source.matchAll(/^(?:import|export)(?! type)\b[^'"]*?from '([^']+)'/gm)) {
      if (from.startsWith('.')) await visit(new URL(from.replace(/\.js$/, '.ts'), url))
      else packages.add(from)
    }
  }
  await visit(new URL(entry, import.meta.url))
  return [...packages].sort()
}

test.each([
  ['./index.ts', ['@mswjs/data', 'zod']],
  ['./msw.ts', ['msw', 'zod']],
  ['./vitest/index.ts', ['@mswjs/data', 'vitest', 'zod']],
])('%s loads %j, no other test tool, and nothing that only Node has', async (entry, packages) => {
  expect(await loads(entry)).toEqual(packages)
})
