import { expect, test } from 'vitest'
import { call, control, forgive, inspecting, inspector, open, page, rows } from '../../fixtures/inspector.js'
import { start } from '../../fixtures/program.js'

inspecting()

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
    await page.getByText('No calls yet.').waitFor()
  } finally {
    second.signal('SIGTERM')
    await second.ended
  }
  // The browser says itself that it could not connect.
  forgive(/ERR_/)
})

test('each instance has a page of its own', async () => {
  const { origin } = new URL(inspector)
  await call('GET', '/plugins')
  await page.goto(`${origin}/i/one/__tracker/`)
  await page.getByText('No calls yet.').waitFor()
  await page.getByText(`${origin}/i/one/api/rest`).first().waitFor()
})

test.each([
  ['a phone', 360],
  ['a desk', 1280],
])('nothing is wider than %s', async (_, width) => {
  await page.setViewportSize({ width, height: 800 })
  await call('PATCH', '/users/nina', { realname: 'x'.repeat(200), enabled: 'no' })
  await call('GET', `/users/${'y'.repeat(200)}`)
  for (const section of sections) {
    await visit(section)
    if (section === 'journal') await rows().first().click()
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([section, over]).toEqual([section, 0])
  }
})

test('everything that can be pressed has a name, and is reached by the keyboard', async () => {
  await call('GET', '/users/nobody')
  for (const section of sections) {
    await visit(section)
    const wrong = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>('button, a, input, select, textarea')]
        .filter((element) => {
          const named = element.textContent?.trim() || element.labels?.length || element.ariaLabel
          return !named || element.tabIndex < 0
        })
        .map((element) => element.outerHTML),
    )
    expect(wrong).toEqual([])
  }
})
