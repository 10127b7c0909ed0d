import type { ScenarioName } from '@agio/localnet'
import type { Locator, Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { setUp } from '../harness/setUp.ts'
import { eventually } from '../harness/timeLimits.ts'
import { enter, pressConvert, readDone } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import type { OpenConsole } from './openConsole.ts'
import { showTab } from './showTab.ts'
import { startConsoleStack } from './startConsoleStack.ts'

/** The scenarios after which nothing can be converted, with what an open Convert page then shows. */
const faults = {
  'stale-price': 'The price is too old',
  'price-jump': 'The price is implausible',
  'sequencer-down': 'The network was interrupted',
  depeg: 'The dollar token is not worth a dollar',
  'thin-pool': 'The pool cannot convert that much',
  'pool-frozen': 'This pool is frozen',
  'rpc-down': 'Can’t reach Base Sepolia',
  'rpc-slow': 'Can’t reach Base Sepolia',
  'rpc-rate-limited': 'Can’t reach Base Sepolia',
  'rpc-garbage': 'Can’t reach Base Sepolia',
} as const satisfies Readonly<Partial<Record<ScenarioName, string>>>

const nodeFaults = Object.entries(faults).flatMap(([name]) => (name.startsWith('rpc-') ? [name as ScenarioName] : []))

await describeConsole('faults while a page is open, without any input', (open) => {
  const stack = setUp(startConsoleStack)

  afterEach(() => stack.reset())

  describe('on Convert', () => {
    it.each(Object.entries(faults))(
      '%s: the page says "%s", disables the button, and quotes again',
      async (name, title) => {
        const { page } = await openQuoted()
        await stack.run(name as ScenarioName)
        await expect.poll(() => isDisabled(page), eventually).toBe('true')
        await page.getByText(title, { exact: true }).first().waitFor()
        await stack.reset()
        await expect.poll(() => isDisabled(page), eventually).toBe('false')
        await expect.poll(() => page.getByText(title, { exact: true }).count(), eventually).toBe(0)
      },
    )

    it('a quote that was refused stays refused when the stream ends, and the page quotes again', async () => {
      const { page, context } = await openQuoted()
      await stack.run('stale-price')
      await expect.poll(() => isDisabled(page), eventually).toBe('true')
      await context.route(/stream\.watch/, (route) => route.fulfill(streamsFull))
      const quoted = page.waitForResponse(/convert\.quote/)
      await showTab(page, false)
      await showTab(page, true)
      expect((await quoted).status()).toBe(422)
      expect(await isDisabled(page)).toBe('true')
      await stack.reset()
      await expect.poll(() => isDisabled(page), eventually).toBe('false')
    })

    it('a price that moves changes the quote and the shown price, and is converted only after the user has accepted it', async () => {
      const { page } = await openQuoted()
      const prices = page.getByRole('region', { name: 'Quote' }).getByText('1 tAUD = $')
      const before = await prices.innerText()
      await stack.run('price-move', { symbol: 'tAUD', percent: -5 })
      await page.getByText('Price changed', { exact: true }).waitFor()
      await expect.poll(() => prices.innerText(), eventually).not.toBe(before)
      await page.getByRole('button', { name: 'Accept new price' }).click()
      await pressConvert(page)
      expect(Number((await readDone(page)).received)).toBeLessThan(640)
    })
  })

  it.each(nodeFaults)('%s: every page says that the network cannot be reached, until it can', async (name) => {
    const paths = ['', '/receipt', '/pools', '/build/key', '/build/webhooks', '/operate/health']
    const opened = await Promise.all(paths.map((path) => open({ stack, path, faults: true })))
    const pages = opened.map(({ page }) => page)
    await Promise.all(pages.map((page) => page.getByRole('main').locator('> *').first().waitFor()))
    const notices = pages.map((page) => page.getByText('Can’t reach Base Sepolia', { exact: true }))
    await stack.run(name)
    await Promise.all(notices.map((notice) => notice.waitFor()))
    const timers = pages.map((page) => page.getByRole('timer').filter({ hasText: 'Retrying in' }).first())
    await Promise.all(timers.map((timer) => timer.waitFor()))
    await stack.reset()
    await Promise.all(notices.map((notice) => notice.waitFor({ state: 'detached' })))
    for (const page of pages) await expect.poll(() => countErrors(page), eventually).toBe(0)
  })

  it.each([
    ...(['stale-price', 'price-jump', 'sequencer-down', 'depeg'] as const).map(
      (name) => [name, 'Price not accepted'] as const,
    ),
    ['pool-frozen', 'Frozen'],
  ] as const)(
    'on Pools, %s: the pool is shown as "%s" with the reason, until it is open again',
    async (name, badge) => {
      const { page } = await openPools()
      await stack.run(name)
      for (const mark of [shownPool(page), listedPool(page)]) {
        await mark.getByText(badge, { exact: true }).waitFor()
      }
      await page.getByText(faults[name], { exact: true }).first().waitFor()
      await stack.reset()
      for (const mark of [shownPool(page), listedPool(page)]) {
        await mark.getByText('Open', { exact: true }).waitFor()
      }
      await expect.poll(() => countErrors(page), eventually).toBe(0)
    },
  )

  it.each([
    ['thin-pool', {}, '≈ 2,000.00 USD', 2],
    ['price-move', { symbol: 'tAUD', percent: -5 }, '0.61864000 USD', 1],
  ] as const)(
    'on Pools, %s %j: %s shows in the pool and in the list, until the reset',
    async (name, options, text, places) => {
      const { page } = await openPools()
      await stack.run(name, options)
      const shown = page.getByText(text, { exact: true })
      // The list is polled only every 120 s.
      await expect.poll(() => shown.count(), { timeout: 30_000 }).toBeGreaterThanOrEqual(places)
      await stack.reset()
      await expect.poll(() => shown.count(), eventually).toBe(0)
    },
  )

  it('on Convert, market-closed: the quote says that the market is closed, until it is open', async () => {
    const { page } = await openQuoted('tEUR')
    const badge = page.getByText('Market closed', { exact: true })
    await stack.run('market-closed', { symbol: 'tEUR' })
    await badge.waitFor()
    await page.getByText(/^Opens .*\d/).waitFor()
    await stack.reset()
    await badge.waitFor({ state: 'detached' })
  })

  it('a panel whose request failed says when the page repeats it, and does', async () => {
    const { page, context } = await open({
      stack,
      path: '/pools',
      faults: true,
      prepare: (context) => context.clock.install(),
    })
    await shownPool(page).getByText('Open', { exact: true }).waitFor()
    await context.route(/pools\.list/, (route) => route.abort())
    await page.clock.fastForward(125_000)
    const timer = page.getByRole('region', { name: 'All pools' }).getByRole('timer')
    expect(await timer.innerText()).toMatch(/^Retrying in \d s…$/)
    await context.unroute(/pools\.list/)
    await page.clock.fastForward(6000)
    await timer.waitFor({ state: 'detached' })
  })

  it('a browser that is offline says so, and shows no quote that is being requested', async () => {
    const { page, context } = await openQuoted()
    await context.setOffline(true)
    await page.getByText('Can’t reach the service', { exact: true }).waitFor()
    await enter(page, { pay: '99' })
    await page.getByText('Waiting for the connection…').waitFor()
    await context.setOffline(false)
    await page.getByText('Quote valid for').waitFor()
  })

  it('offline, a page that was prefetched opens, and any other says that the browser is offline until it opens', async () => {
    const isLoaded = `performance.getEntries().some(({ name }) => name.includes('/operate-'))`
    const { page, context } = await open({ stack, faults: true })
    await page.getByRole('heading', { name: 'Convert', level: 1 }).waitFor()
    await page.mouse.move(100, 100)
    await expect.poll(() => page.evaluate(isLoaded), eventually).toBe(true)
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Build', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
    await context.setOffline(false)

    const other = await open({ stack, faults: true })
    await other.page.getByRole('heading', { name: 'Convert', level: 1 }).waitFor()
    await other.context.setOffline(true)
    await other.page.getByRole('link', { name: 'Build', exact: true }).click()
    await other.page.getByText('You are offline', { exact: true }).waitFor()
    await other.context.setOffline(false)
    await other.page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
  })

  async function openPools(): Promise<OpenConsole> {
    const opened = await open({ stack, path: '/pools', faults: true })
    await shownPool(opened.page).getByText('Open', { exact: true }).waitFor()
    return opened
  }

  /** Opens the page with a quote that a stream keeps up to date. */
  async function openQuoted(from = 'tAUD'): Promise<OpenConsole> {
    const wallet = await createBrowserWallet({ chains: stack.chains, holding: { [from]: '1000' } })
    const opened = await open({ stack, wallet, faults: true })
    await enter(opened.page, { from, to: 'tUSD', pay: '1000' })
    await opened.page.getByText('Quote valid for').waitFor()
    const streams = () => opened.listCalls().filter(({ procedure }) => procedure === 'stream.watch').length
    // One of the prices, then one of the prices and the quote.
    await expect.poll(streams, eventually).toBe(2)
    return opened
  }
})

/** The response to a stream above the limit of the process. */
const streamsFull = {
  status: 503,
  json: {
    error: {
      code: -32603,
      message: 'svc/streams-full: Cannot open a stream: the service has no free one',
      data: {
        code: 'svc/streams-full',
        httpStatus: 503,
        retryable: true,
        retryAfterSeconds: 5,
        action: 'retry',
        details: {},
        requestId: 'of-a-test',
      },
    },
  },
}

async function isDisabled(page: Page): Promise<string | null> {
  return await page.getByRole('button', { name: 'Convert', exact: true }).getAttribute('aria-disabled')
}

/** The panel of the pool that a page shows at first. */
function shownPool(page: Page): Locator {
  return page.getByRole('region', { name: 'tAUD/tUSD', exact: true })
}

function listedPool(page: Page): Locator {
  return page.getByRole('row', { name: /^tAUD\/tUSD/ })
}

/** Counts the errors that a page shows. */
async function countErrors(page: Page): Promise<number> {
  return await page.getByRole('main').getByText('Details', { exact: true }).count()
}
