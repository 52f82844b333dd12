/**
 * Takes the pictures for the documents: the inspector after a few calls, and the report of a tracker that deviates, in
 * light and dark colours. Needs Chromium or Chrome. `npm run pictures` writes them to .github/pictures.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { listen } from '../emulator/http/listen.js'
import { createTracker, type Tracker } from '../emulator/index.js'
import { launchBrowser } from '../fixtures/browser.js'
import { clientOf } from '../fixtures/client.js'
import { run } from '../fixtures/program.js'
import { withFaulty } from '../fixtures/self-test.js'

const directory = resolve('.github', 'pictures')
const viewport = { width: 1200, height: 760 }

await mkdir(directory, { recursive: true })
const browser = await launchBrowser()
try {
  await pictureInspector(browser)
  await pictureReport(browser)
} finally {
  await browser.close()
}

/** Takes pictures of a page in both colour schemes, after `arrange` has prepared it. */
async function picture(from: Browser, name: string, url: string, arrange: (page: Page) => Promise<void>) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await from.newPage({ colorScheme, viewport, reducedMotion: 'reduce' })
    await page.goto(url)
    await arrange(page)
    const path = join(directory, `${name}-${colorScheme}.png`)
    await page.screenshot({ path })
    await page.close()
    console.log(path)
  }
}

async function pictureInspector(from: Browser) {
  const tracker = await createTracker()
  // The page offers the suite, which nobody starts here.
  const server = await listen(tracker, { runSuite: () => Promise.reject(new Error('not for pictures')) })
  const call = clientOf({ fetch, baseUrl: server.url, ext: 'Ext', tokens: tracker.tokens })
  try {
    await call('getUser', { path: { user_id: 'nina' } })
    await call('createCustomField', { body: { custom_field: { name: 'Severity', type: 'string' } } })
    await call('getUser', { path: { user_id: 'nobody' } })
    await call('resetUser', { path: { user_id: 'nina' } })
    await call('createUser', { body: { username: 'otto', email: 'otto@example.org' } })
    await call('createUser', { as: 'reporter', body: { username: 'ina' } })
    await picture(from, 'inspector', `${server.origin}/__tracker/`, async (page) => {
      const rows = page.locator('.call-row')
      await rows.filter({ hasText: '403' }).click()
      await page.locator('.why-box').waitFor()
    })
  } finally {
    await server.close()
  }
}

async function pictureReport(from: Browser) {
  const out = await mkdtemp(join(tmpdir(), 'tracker-kit-'))
  await withFaulty({ wrap: resettingNobody }, async (profile) => {
    const file = join(out, 'tracker.json')
    await writeFile(file, JSON.stringify(profile))
    const args = ['--profile', file, '--safety', 'destructive', '--runs', '20', '--seed', '1']
    await run('check', ...args, '--out', out)
  })
  await picture(from, 'report', pathToFileURL(join(out, 'report.html')).href, async (page) => {
    await page.locator('details[open]').first().waitFor()
  })
  await rm(out, { recursive: true, force: true })
}

/** Claims to have reset a user who does not exist. */
function resettingNobody({ fetch }: Tracker) {
  return async (request: Request) => {
    const answer = await fetch(request)
    const isReset = request.method === 'PUT' && request.url.endsWith('/reset')
    return isReset && answer.status === 404 ? Response.json({}) : answer
  }
}
