import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { describeWith } from '../harness/findServices.ts'
import { findClipped } from './findClipped.ts'
import { findViolations } from './findViolations.ts'
import { launchChromium } from './launchChromium.ts'
import { openPage } from './openPage.ts'
import { showColors } from './views.ts'

const describeInBrowser = await describeWith(['Chromium'], 'the documentation in a browser')

const paths = ['/docs', '/docs/guide/webhooks', '/docs/errors', '/docs/develop/console']

describeInBrowser('the documentation in a browser', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterAll(() => browser?.close())

  /** Opens a page. The test then fails if the page has requested another origin, violated its policy or reported an error. */
  async function open(path: string, options: BrowserContextOptions = {}) {
    const { url } = inject('stack')
    const reports: string[] = []
    const requests: string[] = []
    const opened = await openPage(browser, {
      ...options,
      url: `${url}${path}`,
      origins: [url],
      async prepare(context) {
        context.on('console', (message) => {
          if (['error', 'warning'].includes(message.type())) reports.push(message.text())
        })
        context.on('request', (request) => requests.push(new URL(request.url()).pathname))
      },
    })
    onTestFinished(async () => {
      await opened[Symbol.asyncDispose]()
      const { strayRequests, errors } = opened
      expect({ strayRequests, errors, reports }).toEqual({ strayRequests: [], errors: [], reports: [] })
    })
    return { page: opened.page, requests }
  }

  it.each(paths)('axe finds nothing in %s, in light and in dark', async (path) => {
    const { page } = await open(path)
    for (const colorScheme of ['light', 'dark'] as const) {
      await showColors(page, colorScheme)
      expect(await findViolations(page), colorScheme).toEqual([])
    }
  })

  it.each(paths)('nothing of %s is cut off or beyond the sides, from 360 px to 4K', async (path) => {
    const { page } = await open(path)
    for (const width of [360, 768, 1280, 3840]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await findClipped(page), `${width} px`).toEqual([])
    }
  })

  it('a page loads two files and its icon', async () => {
    const { page, requests } = await open('/docs/guide/webhooks')
    expect(await page.title()).toBe('Webhooks · Agio')
    expect(requests.filter((path) => path !== '/docs/icon.svg')).toEqual([
      '/docs/guide/webhooks',
      '/docs/site.css',
      '/docs/site.js',
    ])
  })

  it('the search finds a section and an error code, and works by keyboard', async () => {
    const { page } = await open('/docs')
    await page.keyboard.press('/')
    await page.keyboard.type('stale pri')
    const results = page.getByRole('search').getByRole('listitem')
    await results.first().getByText('svc/stale-price', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/errors#stale-price')

    await page.getByRole('searchbox').fill('Standard Webhooks')
    await results.first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/guide/webhooks**')

    await page.getByRole('searchbox').fill('xyzzyx')
    await page.getByText('No results for').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByText('No results for').isVisible()).toBe(false)
  })

  it('a narrow page has its navigation behind a button, also without JavaScript', async () => {
    const { page } = await open('/docs/guide/webhooks', {
      viewport: { width: 360, height: 800 },
      javaScriptEnabled: false,
    })
    const navigation = page.getByRole('navigation', { name: 'Documentation' })
    expect(await navigation.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await navigation.getByRole('link', { name: 'Webhooks' }).waitFor()
    expect(await navigation.locator('[aria-current="page"]').textContent()).toBe('Webhooks')
  })

  it('the API reference shows the operations', async () => {
    const { page } = await open('/docs/api')
    await page.getByRole('heading', { name: 'Agio', level: 1 }).waitFor()
  })
})
