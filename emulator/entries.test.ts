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

test('the emulator loads no test tool, and nothing that only Node has', async () => {
  expect(await loads('./index.ts')).toEqual(['@mswjs/data', 'zod'])
})

test('msw and vitest are loaded by the entries for them alone', async () => {
  expect(await loads('./msw.ts')).toContain('msw')
  expect(await loads('./msw.ts')).not.toContain('vitest')
  expect(await loads('./vitest/index.ts')).toEqual(['@mswjs/data', 'vitest', 'zod'])
})
