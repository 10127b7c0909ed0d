import { expect, it } from 'vitest'
import { describeConsole } from './describeConsole.ts'

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
    await navigation.getByRole('link', { name: 'Webhooks' }).waitFor()
    expect(await navigation.locator('[aria-current="page"]').textContent()).toBe('Webhooks')
  })

  it('the API reference shows the operations', async () => {
    const { page } = await open({ root, path: '/api' })
    await page.getByRole('heading', { name: 'Agio', level: 1 }).waitFor()
  })
})
