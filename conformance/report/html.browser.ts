/** `report.html` as a person opens it: from disk, in a browser, at a desk and on a phone. */
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../fixtures/browser.js'
import { served, withStatus } from '../../fixtures/served.js'

const { check, file } = await served(({ url }, right) => {
  const isList = right.status === 200 && new URL(url).pathname.endsWith('/plugins')
  return isList ? withStatus(202, right) : right
})
const url = pathToFileURL(file('out', 'report.html')).href
let browser: Browser

beforeAll(async () => {
  // At `read` some requirements are skipped, so that every outcome is there.
  const { code } = await check('--safety', 'read', '--runs', '5', '--out', file('out'))
  expect(code).toBe(1)
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

describe.each([
  ['at a desk', { width: 1280, height: 800 }],
  ['on a phone', { width: 390, height: 844 }],
])('%s', (_, viewport) => {
  let page: Page
  let troubles: string[]
  let requests: string[]

  beforeEach(async () => {
    page = await browser.newPage({ viewport })
    troubles = []
    requests = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text())
    })
    page.on('pageerror', (error) => troubles.push(error.message))
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(url)
  })
  afterEach(async () => {
    await page.context().close()
    expect(troubles).toEqual([])
    expect(requests).toEqual([url])
  })

  test('nothing stands beyond the edge, with every failure unfolded', async () => {
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
    const scrolled = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(scrolled).toBeLessThanOrEqual(viewport.width)
    expect(await page.evaluate(() => innerWidth)).toBe(viewport.width)
  })

  test('the line that replays a failure is copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const button = page.locator('.failure[open] h3', { hasText: 'replay' }).getByRole('button').first()
    const line = await button.evaluate((one) => one.parentElement?.nextElementSibling?.textContent)
    await button.click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line)
    expect(line).toMatch(/^npx tracker-kit check .*--only/)
  })
})

test('without scripts it is all there', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(url)
  expect(await page.locator('#requirements tbody tr:visible').count()).toBeGreaterThan(30)
  expect(await page.locator('#failures').textContent()).toContain('answered 202')
  await page.context().close()
})
