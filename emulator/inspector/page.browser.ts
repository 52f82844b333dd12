import { expect, test } from 'vitest'
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

test('the journal shows calls as they come, without being asked again', async () => {
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

test('the journal says why a request was refused', async () => {
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

test('the journal gives a call as curl without its token, and repeats it', async () => {
  await call('POST', '/users', { username: 'otto', password: 'Bright-Copper-7' })
  await open()
  await rows().first().click()
  await button('Copy as curl').click()
  await told('Copied')
  const text = await clipboard()
  expect(text).toContain(`***"}' '${base}/plugins/Ext/users'`)
  await button('Replay').click()
  await told('Sent again: 400')
  await expect.poll(() => rows().count()).toBe(2)
})

const sections = ['journal', 'state', 'faults', 'decisions', 'client', 'suite']
async function visit(section: string) {
  await open(section)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

test('what users have written is text, wherever it stands', async () => {
  const hostile = '<img src=x onerror=alert(1)>"\'</script><script>alert(2)</script>'
  await call('PATCH', '/users/nina', { realname: hostile })
  await call('GET', `/users/${encodeURIComponent(hostile)}`)
  await control('PUT', 'state', await hostileState(hostile))
  for (const section of sections) {
    await visit(section)
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
