import { expect, test } from 'vitest'
import {
  button,
  call,
  context,
  control,
  downloaded,
  forgive,
  inspecting,
  inspector,
  open,
  page,
  tokens,
  told,
} from '../../fixtures/inspector.js'

inspecting()

test('the state marks what has changed since the last reset, and is downloaded', async () => {
  await open('state')
  await page.getByRole('row').filter({ hasText: 'nina' }).waitFor()
  await call('PATCH', '/users/nina', { realname: 'Another Name' })
  await call('POST', '/users', { username: 'otto' })
  const changed = page.getByRole('row').filter({ hasText: 'changed' })
  await changed.waitFor()
  expect(await changed.locator('td:has(del)').innerText()).toBe('Nina Neumann Another Name')
  await page.getByRole('row').filter({ hasText: 'added' }).filter({ hasText: 'otto' }).waitFor()
  await page.getByLabel('Only what has changed').check()
  await expect.poll(() => page.getByRole('row').count()).toBe(3)
  const saved = await downloaded(() => page.getByRole('link', { name: 'Download' }).click())
  expect(JSON.parse(saved)).toEqual(await (await control('GET', 'state')).json())
  await button('Reset').click()
  await expect.poll(() => page.locator('.mark').count()).toBe(0)
})

test('the state takes a new row and a change of one, and says what is wrong with it', async () => {
  await open('state')
  const users = page.getByRole('region', { name: 'Users' })
  await users.getByRole('row').filter({ hasText: 'nina' }).getByRole('button', { name: 'Edit' }).click()
  const box = page.getByRole('textbox', { name: 'Row, as JSON' })
  await box.fill((await box.inputValue()).replace('Nina Neumann', 'Another Name'))
  await button('Save').click()
  await users.getByRole('row').filter({ hasText: 'Another Name' }).waitFor()
  await button('Add').click()
  await page.getByRole('textbox', { name: /^New row/ }).fill('{"username": "otto"}')
  await page.locator('.form').getByRole('button', { name: 'Add' }).click()
  await users.getByRole('row').filter({ hasText: 'added' }).filter({ hasText: 'otto' }).waitFor()
  await users.getByRole('row').filter({ hasText: 'otto' }).getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Row, as JSON' }).fill('{"id":1}')
  await button('Save').click()
  await page.locator('.notice.bad').waitFor()
  forgive(/400/)
  await button('Remove').click()
  await expect.poll(() => users.getByText('otto').count()).toBe(0)
})

test('the page of an instance tells which operations its client has met, and what the document does not allow', async () => {
  // The server's own tracker has met the calls of the other tests.
  const { origin } = new URL(inspector)
  const headers = { authorization: `Bearer ${tokens.administrator}`, 'content-type': 'application/json' }
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/i/client/api/rest/plugins/Ext${path}`, { headers, ...init })
  await ask('/plugins')
  await ask('/users/nina', { method: 'PATCH', body: '{"enabled":"no"}' })
  await page.goto(`${origin}/i/client/__tracker/#client`)
  await page.getByText(`${origin}/i/client/api/rest`).first().waitFor()
  await page.getByText('It called 2 of 26 operations, as administrator.').waitFor()
  await page.locator('.box.open', { hasText: 'updateUser' }).first().waitFor()
  await page.getByRole('row').filter({ hasText: 'createUser' }).getByText('never').waitFor()
})

test('faults are added, seen and cleared', async () => {
  await open('faults')
  await page.getByLabel('operation').selectOption('listPlugins')
  await page.getByRole('textbox', { name: 'status' }).fill('599')
  await page.getByRole('textbox', { name: 'times' }).fill('2')
  await button('Add fault').click()
  await page.getByText('"status":599,"times":2').waitFor()
  expect((await call('GET', '/plugins')).status).toBe(599)
  await page.getByText('1 hit').waitFor()
  await button('Clear all').click()
  await page.getByText('None: the tracker answers normally.').waitFor()
  expect((await call('GET', '/plugins')).status).toBe(200)
})

test('decisions are flipped, told, downloaded and taken back', async () => {
  await open('decisions/wrong-method')
  await page.getByRole('button', { name: 'not-found' }).click()
  await told(/^wrong-method: method-not-allowed → not-found\. Section 4; it changes 26 operations\./)
  expect((await call('PUT', '/plugins')).status).toBe(404)
  await page.getByText('Only changed from the default (1)').waitFor()
  const file = await downloaded(() => page.getByRole('link', { name: 'Download' }).click())
  expect(JSON.parse(file)).toEqual({ 'wrong-method': 'not-found' })
  await button('All to default').click()
  await page.getByText('Only changed from the default (0)').waitFor()
  expect((await call('PUT', '/plugins')).status).toBe(405)
})

test('the suite runs at a click, on a copy, and leaves a report', async () => {
  await call('POST', '/users', { username: 'otto' })
  await open('suite')
  await button('Run the suite').click()
  await page.getByRole('progressbar').waitFor()
  await page.locator('.verdict', { hasText: 'The tracker conforms' }).waitFor({ timeout: 110_000 })
  expect(await (await control('GET', 'journal')).json()).toHaveLength(1)
  await page.frameLocator('.report').getByRole('heading', { name: 'Requirements', exact: true }).waitFor()
  const [report] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Open the whole report' }).click(),
  ])
  await report.getByRole('heading', { name: 'Requirements', exact: true }).waitFor()
})
