/** `report.html` as a person opens it: from disk, in a browser, by day and by night, at a desk and on a phone. */
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

const desk = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

describe.each([
  ['light', 'at a desk', desk],
  ['dark', 'at a desk', desk],
  ['light', 'on a phone', phone],
  ['dark', 'on a phone', phone],
] as const)('%s, %s', (colorScheme, _, viewport) => {
  let page: Page
  let troubles: string[]
  let requests: string[]

  beforeEach(async () => {
    page = await browser.newPage({ colorScheme, viewport })
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

  test('its texts are readable on their ground, which is as the reader prefers', async () => {
    const colours = await page.evaluate(textColours)
    expect(colours.length).toBeGreaterThan(6)
    for (const [name, ink, ground] of colours) {
      const [dark = 0, light = 0] = [luminance(ink), luminance(ground)].sort((a, b) => a - b)
      // The contrast as WCAG 2 defines it, from 1 to 21.
      expect((light + 0.05) / (dark + 0.05), `${name}: ${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      expect(luminance(ground) > 0.5, `${name} on ${ground}`).toBe(colorScheme === 'light')
    }
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

/** Runs in the page: a text of each kind, with its colour and that of the first ground behind it. */
function textColours() {
  const kinds = ['h1', '.verdict', '.facts li', '.message', 'pre', 'button', 'small', 'small.reason']
  const outcomes = ['passed', 'failed', 'skipped'].map((outcome) => `td.${outcome}`)
  return [...kinds, ...outcomes].flatMap((name) => {
    const element = document.querySelector(name)
    const groundOf = (at: Element) => getComputedStyle(at).backgroundColor
    let behind = element
    while (behind && groundOf(behind) === 'rgba(0, 0, 0, 0)') behind = behind.parentElement
    return element && behind ? [[name, getComputedStyle(element).color, groundOf(behind)] as const] : []
  })
}

/** As WCAG 2 defines it, from 0 to 1, of a colour without transparency. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((part) => {
    const share = Number(part) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
