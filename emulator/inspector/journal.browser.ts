import { describe, expect, test } from 'vitest'
import { button, call, control, inspecting, open, page, rows } from '../../fixtures/inspector.js'

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
