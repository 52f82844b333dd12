import { describe, expect, test } from 'vitest'
import {
  base,
  button,
  call,
  clipboard,
  control,
  inspecting,
  open,
  page,
  rows,
  told,
} from '../../fixtures/inspector.js'

inspecting()

describe('the journal', () => {
  test('shows calls as they come, without being asked again', async () => {
    await open()
    await page.getByText('No calls yet.').waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await call('GET', '/users/nina')
    await rows().filter({ hasText: 'getUser' }).waitFor()
    expect(asked.filter((url) => /journal|events/.test(url))).toEqual([])
    await control('POST', 'reset')
    await page.getByText('No calls yet.').waitFor()
  })

  test('says why a request was refused', async () => {
    await call('POST', '/users', { username: 'otto' }, 'reporter')
    await open()
    await rows().first().click()
    const why = page.locator('.why-box')
    const text = (await why.innerText()).replace(/\s+/g, ' ')
    expect(text).toContain('To manage users needs level 90; reporter has 25')
    expect(text).toContain('has reporter (25), needs administrator (90)')
    expect(text).toContain('by the condition access-denied')
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
    await page.getByLabel('Search').fill('NOBODY')
    await expect.poll(() => rows().count()).toBe(1)
    await button('Clear').click()
    await page.getByLabel('Outcome').selectOption('Refused (4xx)')
    await expect.poll(() => rows().count()).toBe(2)
    await page.getByLabel('Search').fill('reporter')
    await expect.poll(() => rows().count()).toBe(1)
    await page.getByText('1 of 3').waitFor()
  })

  test('is walked through by the keyboard', async () => {
    await call('GET', '/users/nina')
    await call('GET', '/plugins')
    await open()
    await rows().first().focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.detail code', { hasText: '/users/nina' }).waitFor()
    expect(await rows().nth(1).getAttribute('aria-expanded')).toBe('true')
  })

  test('gives a call as curl without its token, and repeats it', async () => {
    await call('POST', '/users', { username: 'otto', password: 'Bright-Copper-7' })
    await open()
    await rows().first().click()
    await button('Copy as curl').click()
    await told('Copied')
    const text = await clipboard()
    expect(text).toContain('-H "Authorization: Bearer $TRACKER_TOKEN"')
    expect(text).toContain(`${base}/plugins/Ext/users`)
    expect(text).not.toContain('Bright-Copper-7')
    await button('Replay').click()
    await told('Sent again: 400')
    await expect.poll(() => rows().count()).toBe(2)
  })
})
