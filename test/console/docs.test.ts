import { expect, it, onTestFinished } from 'vitest'
import { describeConsole } from './describeConsole.ts'
import { inspectColors } from './inspectPage.ts'

const root = '/docs'

// `smoke.test.ts` tests each page with axe and at all widths.
await describeConsole('the documentation in a browser', (open) => {
  it('a page loads two files and its icon', async () => {
    const requests: string[] = []
    const { page } = await open({
      root,
      path: '/guide/webhooks',
      prepare: async (context) => context.on('request', (request) => requests.push(new URL(request.url()).pathname)),
    })
    expect(await page.title()).toBe('Webhooks · Agio')
    expect(requests.filter((path) => path !== '/docs/icon.svg')).toEqual([
      '/docs/guide/webhooks',
      '/docs/site.css',
      '/docs/site.js',
    ])
  })

  it('the search finds a section and an error code, and works by keyboard', async () => {
    const { page } = await open({ root })
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
    const { page } = await open({
      root,
      path: '/guide/webhooks',
      viewport: { width: 360, height: 800 },
      javaScriptEnabled: false,
    })
    const navigation = page.getByRole('navigation', { name: 'Documentation' })
    expect(await navigation.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await navigation.getByRole('link', { name: 'Webhooks', exact: true }).waitFor()
    expect(await navigation.locator('[aria-current="page"]').textContent()).toBe('Webhooks')
  })

  it('the API reference shows the operations without a finding of axe, and its scripts can neither read the console nor call the service', async () => {
    const { page: reference } = await open({ root, path: '/api' })
    await reference.getByRole('heading', { name: 'Agio', level: 1 }).waitFor()
    await inspectColors(reference, 'docs-api')
    // In a context of its own, because it violates the policy on purpose.
    const context = await reference.context().browser()?.newContext()
    if (!context) throw new Error('Cannot open a context: the browser has ended')
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(new URL('/console/build/calls', reference.url()).href)
    await page.evaluate("localStorage.setItem('secret', 'of the console')")
    await page.goto(reference.url())
    await page.getByRole('heading', { name: 'Agio', level: 1 }).waitFor()
    for (const attempt of [
      "localStorage.getItem('secret')",
      "document.body.appendChild(document.createElement('iframe')).contentWindow.localStorage.getItem('secret')",
      "fetch('/openapi.json').then(({ status }) => status)",
      "fetch('/health', { mode: 'no-cors' }).then(({ type }) => type)",
    ])
      expect(await page.evaluate<unknown>(attempt).catch(() => null), attempt).toBeNull()
    await page.getByRole('link', { name: 'Try these operations in the console' }).click()
    await page.waitForURL('**/console/build/calls')
    expect(await page.evaluate("localStorage.getItem('secret')")).toBe('of the console')
  })
})
