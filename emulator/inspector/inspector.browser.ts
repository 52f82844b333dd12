import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../fixtures/browser.js'
import { type Running, start } from '../../fixtures/program.js'

let browser: Browser
let program: Running
let context: BrowserContext
let page: Page
let base = ''
let inspector = ''
let tokens: Record<string, string> = {}
/** What the page complained of: errors of scripts, refused resources, dialogs that something has opened. */
let complaints: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  program = start(['serve', '--port', '0'])
  const said = await program.says('curl')
  const after = (label: string) => new RegExp(`^ *${label} +(\\S+)$`, 'm').exec(said)?.[1] ?? ''
  base = after('Base URL')
  inspector = after('Inspector')
  tokens = Object.fromEntries(['administrator', 'reporter'].map((role) => [role, after(role)]))
})
afterAll(async () => {
  program.signal('SIGTERM')
  expect((await program.ended).code).toBe(0)
  await browser.close()
})

beforeEach(async () => {
  await control('POST', 'reset')
  complaints = []
  context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  })
  page = await context.newPage()
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message())
    void dialog.dismiss()
  })
})
afterEach(async () => {
  await context.close()
  expect(complaints).toEqual([])
})

const control = (method: string, path: string, body?: unknown) =>
  fetch(inspector + path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })

function call(method: string, path: string, body?: unknown, role = 'administrator') {
  return fetch(`${base}/plugins/Ext${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens[role]}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
const open = async (section = 'journal') => {
  await page.goto(`${inspector}#${section}`)
  await page.getByText('Live', { exact: true }).waitFor()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const rows = () => page.locator('.call-row')
const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
const told = (text: string | RegExp) => page.locator('.notice', { hasText: text }).waitFor()

async function downloaded(press: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return readFileSync(await file.path(), 'utf8')
}

describe('the journal', () => {
  test('shows calls as they come, without being asked again', async () => {
    await open()
    await page.getByText('Nothing was asked yet.').waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await call('GET', '/users/nina')
    await rows().filter({ hasText: 'getUser' }).waitFor()
    expect(asked.filter((url) => /journal|events/.test(url))).toEqual([])
    await control('POST', 'reset')
    await page.getByText('Nothing was asked yet.').waitFor()
  })

  test('says why a request was refused', async () => {
    await call('POST', '/users', { username: 'otto' }, 'reporter')
    await open()
    await rows().first().click()
    const why = page.locator('.why-box')
    const text = (await why.innerText()).replace(/\s+/g, ' ')
    expect(text).toContain('To manage users needs level 90; reporter has 25')
    expect(text).toContain('has reporter (25), needs administrator (90)')
    expect(text).toContain('Condition access-denied')
    await why.getByRole('link', { name: 'create-permission' }).click()
    await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor()
    await expect.poll(() => page.locator('.decision').count()).toBe(1)
  })

  test('is searched and filtered', async () => {
    await call('GET', '/users/nina')
    await call('GET', '/users/nobody')
    await call('POST', '/users', { username: 'otto' }, 'reporter')
    await open()
    await expect.poll(() => rows().count()).toBe(3)
    await page.keyboard.press('/')
    await page.keyboard.type('NOBODY')
    await expect.poll(() => rows().count()).toBe(1)
    await button('Clear').click()
    await page.getByLabel('Outcome').selectOption('refused')
    await expect.poll(() => rows().count()).toBe(2)
    await page.getByLabel('Caller').selectOption('reporter')
    await expect.poll(() => rows().count()).toBe(1)
    await page.getByText('1 of 3').waitFor()
  })

  test('is walked through by the keyboard', async () => {
    await call('GET', '/users/nina')
    await call('GET', '/plugins')
    await open()
    await rows().first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('.detail code', { hasText: '/users/nina' }).waitFor()
    expect(await rows().nth(1).getAttribute('aria-expanded')).toBe('true')
  })

  test('gives a call as curl without its token, and repeats it', async () => {
    await call('POST', '/users', { username: 'otto', password: 'Bright-Copper-7' })
    await open()
    await rows().first().click()
    await button('Copy as curl').click()
    await button('Copied').waitFor()
    const text = await clipboard()
    expect(text).toContain('-H "Authorization: Bearer $TRACKER_TOKEN"')
    expect(text).toContain(`${base}/plugins/Ext/users`)
    expect(text).not.toContain('Bright-Copper-7')
    await button('Replay').click()
    await told('Sent again: 400')
    await expect.poll(() => rows().count()).toBe(2)
  })

  test('puts a call into the form of its operation', async () => {
    await call('POST', '/users/nina/projects', { project_ids: ['1'], access_level: 'viewer' }, 'reporter')
    await open()
    await rows().first().click()
    await button('Edit and send').click()
    expect(await page.getByLabel('user_id').inputValue()).toBe('nina')
    expect(await page.getByRole('textbox', { name: 'Body' }).inputValue()).toContain('"viewer"')
    expect(await page.getByLabel('Send as').inputValue()).toBe('reporter')
    await page.getByLabel('Send as').selectOption('administrator')
    await button('Send').click()
    await page.locator('.answer .pill', { hasText: '200' }).waitFor()
  })
})

test('what users have written is text, wherever it stands', async () => {
  const hostile = '<img src=x onerror=alert(1)>"\'</script><script>alert(2)</script>'
  await call('PATCH', '/users/nina', { realname: hostile })
  await call('GET', `/users/${encodeURIComponent(hostile)}`)
  await control('PUT', 'state', await hostileState(hostile))
  for (const section of ['journal', 'state', 'send/getUser', 'faults', 'decisions', 'suite']) {
    await open(section)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.locator('img').count()).toBe(1)
  }
  await open('state')
  await page.getByRole('cell', { name: hostile }).first().waitFor()
  await open()
  await rows().first().click()
  await page.locator('.detail').waitFor()
})

async function hostileState(username: string) {
  const state = await (await control('GET', 'state')).json()
  for (const user of state.users) if (user.id === 10) user.username = username
  return state
}

describe('the state', () => {
  test('marks what has changed since the last reset', async () => {
    await open('state')
    await page.getByRole('row').filter({ hasText: 'nina' }).waitFor()
    await call('PATCH', '/users/nina', { realname: 'Another Name' })
    await call('POST', '/users', { username: 'otto' })
    const changed = page.getByRole('row').filter({ hasText: 'changed' })
    await changed.waitFor()
    expect(await changed.locator('.differs').innerText()).toBe('Nina Neumann Another Name')
    await page.getByRole('row').filter({ hasText: 'added' }).filter({ hasText: 'otto' }).waitFor()
    await page.getByLabel('Only what has changed').check()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    await button('Reset').click()
    await expect.poll(() => page.locator('.mark').count()).toBe(0)
  })

  test('shows tokens without their secrets, and the mail', async () => {
    await call('POST', '/users', { username: 'otto', email: 'otto@example.org' })
    await open('state')
    await page.getByRole('button', { name: 'Tokens' }).click()
    await page.getByRole('cell', { name: '***' }).first().waitFor()
    expect(await page.content()).not.toContain(tokens.administrator)
    await page.getByRole('button', { name: /^Outbox/ }).click()
    await page.getByText('registration').waitFor()
  })

  test('is kept and restored, downloaded and uploaded', async () => {
    await call('POST', '/users', { username: 'otto' })
    await open('state')
    await button('Snapshot').click()
    await button('Restore').waitFor()
    const saved = await downloaded(() => button('Download').click())
    const otto = page.getByRole('cell', { name: 'otto', exact: true })
    await button('Reset').click()
    await otto.waitFor({ state: 'detached' })
    await page.reload()
    await button('Restore').click()
    await otto.waitFor()
    await button('Reset').click()
    await otto.waitFor({ state: 'detached' })
    const file = { name: 'saved.json', mimeType: 'application/json', buffer: Buffer.from(saved) }
    await page.getByLabel('Upload').setInputFiles(file)
    await otto.waitFor()
    await page.getByLabel('Upload').setInputFiles({ ...file, buffer: Buffer.from('{}') })
    await told("saved.json: Not a tracker's state")
    complaints = complaints.filter((text) => !text.includes('400'))
  })

  test('becomes a fixture at a click', async () => {
    await call('POST', '/users', { username: 'otto' })
    await open('state')
    await button('Copy as TypeScript fixture').click()
    await button('Copied').waitFor()
    expect(await clipboard()).toMatch(/^import \{ createTracker, type PartialSeed \} .*username: 'otto'/s)
  })
})

describe('sending', () => {
  test('there is a form for each operation, whose example works', async () => {
    await open('send/createUser')
    await expect.poll(() => page.locator('.operations a').count()).toBe(26)
    await button('Send').click()
    await page.locator('.answer .pill', { hasText: '200' }).waitFor()
    await page.getByRole('link', { name: /deleteCustomField/ }).click()
    expect(await page.getByLabel('field_id').inputValue()).not.toBe('')
    await page.getByLabel('Send as').selectOption('reporter')
    await button('Send').click()
    await page.locator('.answer .why-box').waitFor()
  })

  test('what is not JSON is sent all the same', async () => {
    await open('send/createUser')
    await page.getByRole('textbox', { name: 'Body' }).fill('{"username":')
    await page.getByText('not JSON as it stands').waitFor()
    await button('Send').click()
    await page.locator('.answer .pill', { hasText: '400' }).waitFor()
  })
})

test('faults are added, seen and cleared', async () => {
  await open('faults')
  await page.getByLabel('Strikes').selectOption('listPlugins')
  await page.getByRole('textbox', { name: 'Status' }).fill('599')
  await page.getByRole('textbox', { name: 'How often' }).fill('2')
  await button('Add fault').click()
  await page.getByText('answers 599, 2 times').waitFor()
  expect((await call('GET', '/plugins')).status).toBe(599)
  await page.getByText('1 hit').waitFor()
  await button('Add fault').click()
  await expect.poll(() => page.locator('.faults li').count()).toBe(2)
  await page.locator('.faults li').first().getByRole('button', { name: 'Clear' }).click()
  await expect.poll(() => page.locator('.faults li').count()).toBe(1)
  await page.getByText('0 hits').waitFor()
  await button('Clear all').click()
  await page.getByText('None. The tracker answers by itself.').waitFor()
  expect((await call('GET', '/plugins')).status).toBe(200)
})

test('decisions are flipped, told, downloaded and taken back', async () => {
  await open('decisions/wrong-method')
  await page.getByRole('button', { name: 'not-found' }).click()
  await told(/^wrong-method: method-not-allowed → not-found\. Section 4; it changes 26 operations\./)
  expect((await call('PUT', '/plugins')).status).toBe(404)
  await page.getByText('Only other than the default (1)').waitFor()
  const file = await downloaded(() => button('Download').click())
  expect(JSON.parse(file)).toEqual({ 'wrong-method': 'not-found' })
  await button('All to default').click()
  await page.getByText('Only other than the default (0)').waitFor()
  expect((await call('PUT', '/plugins')).status).toBe(405)
})

test('the suite runs at a click, on a copy, and leaves a report', async () => {
  await call('POST', '/users', { username: 'otto' })
  await open('suite')
  await button('Run the suite').click()
  await page.getByRole('progressbar').waitFor()
  await page.locator('.verdict', { hasText: 'The tracker conforms.' }).waitFor({ timeout: 110_000 })
  expect(await (await control('GET', 'journal')).json()).toHaveLength(1)
  const [report] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Open the whole report' }).click(),
  ])
  await report.getByRole('heading', { name: 'Requirements' }).waitFor()
})

test('a server that was started anew is found again, with its own journal', async () => {
  const first = start(['serve', '--port', '0'])
  const [, address = ''] = /^Inspector +(\S+)$/m.exec(await first.says('curl')) ?? []
  const { port, origin } = new URL(address)
  await fetch(`${origin}/api/rest/plugins/Ext/plugins`)
  await page.goto(address)
  await rows().first().waitFor()
  first.signal('SIGTERM')
  await first.ended
  await page.getByText('Connecting…').waitFor()
  const second = start(['serve', '--port', port])
  try {
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('Nothing was asked yet.').waitFor()
  } finally {
    second.signal('SIGTERM')
    await second.ended
  }
  // The browser says itself that it could not connect.
  complaints = complaints.filter((text) => !/ERR_/.test(text))
})

test('a page without scripts leads to the parts of the control plane', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const bare = await plain.newPage()
  await bare.goto(inspector)
  await bare.getByText('Control plane', { exact: true }).click()
  await bare.getByRole('link', { name: 'openapi.json' }).click()
  await bare.getByText('"openapi": "3.1.0"').waitFor()
  await plain.close()
})

test('each instance has a page of its own', async () => {
  const { origin } = new URL(inspector)
  await call('GET', '/plugins')
  await page.goto(`${origin}/i/one/__tracker/`)
  await page.getByText('Nothing was asked yet.').waitFor()
  await page.getByText(`${origin}/i/one/api/rest`).first().waitFor()
})

test.each([
  ['a phone', 360],
  ['a desk', 1280],
])('nothing is wider than %s', async (_, width) => {
  await page.setViewportSize({ width, height: 800 })
  await call('PATCH', '/users/nina', { realname: 'x'.repeat(200), enabled: 'no' })
  await call('GET', `/users/${'y'.repeat(200)}`)
  for (const section of ['journal', 'state', 'send/updateUser', 'faults', 'decisions', 'suite']) {
    await open(section)
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (section === 'journal') await rows().first().click()
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([section, over]).toEqual([section, 0])
  }
})

test('everything that can be pressed has a name, and is reached by the keyboard', async () => {
  await call('GET', '/users/nobody')
  for (const section of ['journal', 'state', 'send/updateUser', 'faults', 'decisions', 'suite']) {
    await open(section)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, a, input, select, textarea')]
        .filter((element) => {
          const labels = (element as HTMLInputElement).labels
          return !(element.textContent?.trim() || labels?.length || element.getAttribute('aria-label'))
        })
        .map((element) => element.outerHTML),
    )
    expect(nameless).toEqual([])
    const unreachable = await page.evaluate(
      () =>
        [...document.querySelectorAll('button, a, input, select, textarea')].filter(
          (element) => (element as HTMLElement).tabIndex < 0,
        ).length,
    )
    expect(unreachable).toBe(0)
  }
})
