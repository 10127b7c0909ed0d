import type { Page } from 'playwright-core'
import { parseUnits } from 'viem'
import { afterAll, expect, inject, it } from 'vitest'
import { testAccounts } from '../../packages/sdk/src/testing.ts'
import { findServices } from '../harness/findServices.ts'
import { startNginx } from '../harness/startNginx.ts'
import { eventually } from '../harness/timeLimits.ts'
import {
  amountField,
  answerTestWallet,
  enter,
  pressConvert,
  readDone,
  shownConversions,
  toDecimal,
} from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { inspectColors, inspectPage } from './inspectPage.ts'
import { readHolding } from './readHolding.ts'
import { screenshotsFolder } from './screenshots.ts'
import { showView, views } from './views.ts'

await describeConsole('the console and its documentation, page by page', (open) => {
  afterAll(() => console.log(`Screenshots of the console: ${screenshotsFolder}`))

  it('100 tAUD are converted in five clicks on a fresh page, and the parts of the receipt add up to what was paid out', async () => {
    const holds = (symbol: string) => readHolding(symbol, testAccounts[1])
    const { page } = await open()
    let clicks = 0
    const click = async (name: string) => {
      clicks += 1
      await page.getByRole('button', { name, exact: true }).click()
    }
    const confirm = async (asked: Parameters<typeof answerTestWallet>[1]) => {
      clicks += 1
      await answerTestWallet(page, asked, 'Confirm')
    }
    await click('Get test tokens')
    await confirm('to claim')
    await expect.poll(() => holds('tAUD'), eventually).toBe(parseUnits('1000', 6))
    await amountField(page, 'You pay').fill('100')
    await click('Convert')
    await confirm('a signature')
    await confirm('to convert')
    const { received } = await readDone(page)
    expect(clicks).toBe(5)
    expect(await holds('tAUD')).toBe(parseUnits('900', 6))
    expect(await holds('tUSD')).toBe(parseUnits('1000', 6) + parseUnits(received, 6))
    await enter(page, { pay: '250' })
    await page.getByText(/^Quote valid for/).waitFor()
    await inspectPage(page, 'convert')

    await shownConversions(page).first().getByRole('link', { name: 'Receipt' }).click()
    await page.getByText('The parts add up exactly to the amount received.').waitFor()
    const { Received: received_, ...parts } = await readParts(page)
    expect(received_).toBe(parseUnits(received, 6))
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0n)).toBe(received_)
    expect(Object.keys(parts)).toEqual(['At market rate', 'Fee'])
    // Not at all widths: on a phone, the field of the receipt is narrower than a hash.
    await inspectColors(page, 'receipt')
    await page.setViewportSize({ width: 320, height: 900 })
    const isTooWide = `Array.from(document.querySelectorAll('td, tbody th'), (cell) => cell.scrollWidth > cell.clientWidth)`
    expect(await page.evaluate(isTooWide)).toEqual(Array.from({ length: 12 }, () => false))
  })

  it('behind nginx that serves it below a path prefix, the console converts, and no link leaves the prefix', async () => {
    expect(await findServices(['nginx'], 'path prefixes')).toBe(true)
    const stack = inject('stack')
    await using nginx = await startNginx(stack.url, '/fx')
    const wallet = await createBrowserWallet()
    const prefixed = { stack: { ...stack, url: nginx.url }, root: '/fx/', wallet }
    const { page } = await open(prefixed)
    expect(new URL(page.url()).pathname).toBe('/fx/console')
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(page)
    await readDone(page)
    await shownConversions(page).first().getByRole('link', { name: 'Receipt' }).click()
    await page.getByText('The parts add up exactly to the amount received.').waitFor()
    await page.reload()
    await page.getByText('The parts add up exactly to the amount received.').waitFor()
    await page.getByRole('link', { name: 'Build', exact: true }).click()
    await page.getByRole('link', { name: 'API calls' }).click()
    await page.getByText(`${nginx.url}/fx/api/v1`, { exact: true }).waitFor()
    await assertLinksBelow(page, '/fx/')
    await page.getByRole('link', { name: 'Operate', exact: true }).click()
    await page.getByRole('button', { name: 'Use the local admin key' }).click()
    await page.getByRole('region', { name: /^Keys and their usage in/ }).waitFor()
    await page.getByRole('link', { name: 'Build', exact: true }).click()
    await page.getByRole('link', { name: 'API calls' }).click()

    await page.getByRole('link', { name: 'SDK', exact: true }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await assertLinksBelow(page, '/fx/')
    await page.getByRole('searchbox').fill('stale price')
    await page.getByRole('search').getByRole('listitem').first().getByRole('link').click()
    await page.waitForURL('**/fx/docs/errors#stale-price')
    await page.goto(`${nginx.url}/fx/docs/api`)
    await page.getByRole('heading', { name: 'Agio', level: 1 }).waitFor()
    // Before nginx stops, from which the page may still load its icon.
    await page.close()
  })

  it.each(views)(
    'axe finds nothing in $name, and nothing of it is cut off or beyond the sides, from 320 to 2,560 px',
    async (view) => inspectPage(await showView(open, view), view.name),
  )
})

/** Asserts that each link of a page to its own origin leads to a page below a prefix. */
async function assertLinksBelow(page: Page, prefix: string): Promise<void> {
  const { origin } = new URL(page.url())
  const urls = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => (link as { href?: string }).href ?? ''))
  const own = [...new Set(urls.filter((url) => url.startsWith(origin)).map((url) => url.replace(/#.*$/, '')))]
  expect(own.length).toBeGreaterThan(4)
  expect(own.filter((url) => !url.startsWith(`${origin}${prefix}`))).toEqual([])
  const statuses = await Promise.all(own.map(async (url) => [url, (await fetch(url)).status]))
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([])
}

/** Reads the parts of a receipt from its table, in raw units by their names. */
async function readParts(page: Page): Promise<Record<string, bigint>> {
  const rows = page.getByRole('main').locator('tbody tr')
  await rows.first().waitFor()
  const cells = await Promise.all((await rows.all()).map((row) => row.locator('th, td').allInnerTexts()))
  return Object.fromEntries(
    cells.map(([name = '', amount = '']) => [name.split('\n')[0], parseUnits(toDecimal(amount).replace('+', ''), 6)]),
  )
}
