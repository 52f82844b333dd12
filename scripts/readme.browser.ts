/** Runs the examples of the documents that need a browser as they are. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { browserPath, launchBrowser } from '../fixtures/browser.js'
import { ask, serveBundle, servePages } from '../fixtures/embedding/browser/pages.js'
import { blockFor, root } from './readme-blocks.js'

const require = createRequire(import.meta.url)
const FIELDS = 'https://tracker.example/api/rest/plugins/Ext/custom_fields'

/** An application that shows the custom fields of its tracker. */
const application = (
  token: string,
) => `<!doctype html><title>Fields</title><link rel="icon" href="data:,"><ul></ul>
  <script type="module">
    const answer = await fetch('${FIELDS}', { headers: { Authorization: 'Bearer ${token}' } })
    for (const { name } of (await answer.json()).custom_fields)
      document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: name }))
  </script>`

/** A test behind those of the recipe: the page meets a broken answer, and the test goes on. */
const BROKEN = `
test('a fault breaks the connection', async ({ page, tracker }) => {
  tracker.faults.inject({ operation: 'listCustomFields', transport: 'truncate' })
  const failed = page.waitForEvent('requestfailed')
  await page.goto('/')
  expect((await failed).url()).toContain('/custom_fields')
})
`

test('the page that answers its own requests', async () => {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const pages = await serveBundle(blockFor('worker'))
  onTestFinished(pages.close)
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${pages.port}/`)
  // As text, since the runner of the tests would make an import of its own of it.
  const token = await page.evaluate<string>(
    "import('/entry.js').then(({ tracker }) => tracker.tokens.administrator)",
  )
  expect((await ask(page, FIELDS, { token })).status).toBe(200)
})

test("the test in Vitest's browser mode", async () => {
  const home = join(root, 'dist', 'readme-browser-mode')
  const launch = `playwright({ launchOptions: ${JSON.stringify({ executablePath: browserPath() })} })`
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  await mkdir(join(home, 'public'), { recursive: true })
  await copyFile(require.resolve('msw/mockServiceWorker.js'), join(home, 'public', 'mockServiceWorker.js'))
  await writeFile(join(home, 'plugins.test.ts'), blockFor('browser-mode'))
  const config = join(home, 'vitest.config.mjs')
  await writeFile(config, blockFor('browser-config').replace('playwright()', launch))
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [vitest, 'run', '--root', home, '--config', config, '--reporter', 'json']
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, NODE_OPTIONS: '', VITEST: '' },
  })
  const result = JSON.parse(stdout.slice(stdout.indexOf('{"')))
  expect(result).toMatchObject({ success: true, numPassedTests: 1 })
})

test('the test with Playwright', async () => {
  // Within the package, so that it is found by its own name; in a folder that every build empties.
  const home = join(root, 'dist', 'readme-playwright')
  const { createTracker } = await import('../emulator/index.js')
  const pages = await servePages({ '/': application((await createTracker()).tokens.administrator) })
  onTestFinished(pages.close)
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const config = {
    testDir: home,
    outputDir: join(home, 'results'),
    reporter: 'json',
    use: { baseURL: `http://127.0.0.1:${pages.port}`, launchOptions: { executablePath: browserPath() } },
  }
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'fields.spec.ts'), blockFor('playwright') + BROKEN)
  await writeFile(join(home, 'playwright.config.mjs'), `export default ${JSON.stringify(config)}\n`)
  const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  const { stdout } = await promisify(execFile)(process.execPath, [playwright, 'test'], { cwd: home })
  expect(JSON.parse(stdout).stats).toMatchObject({ expected: 2, unexpected: 0, skipped: 0, flaky: 0 })
})
