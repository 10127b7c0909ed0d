import type { BrowserContext, Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { enter } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import type { OpenConsole } from './openConsole.ts'
import { showTab } from './showTab.ts'
import { waitUntilLoaded } from './views.ts'

/** The window of a standard key, and its calls. */
const window = { seconds: 900, calls: 100 }

await describeConsole('the calls of pages that are left open', (open) => {
  it.each([
    { name: 'Convert, without an amount', path: '' },
    { name: 'Convert, with a quote that stays open', path: '', show: quote },
    { name: 'Convert, with a quote and a user who moves the pointer', path: '', show: quote, use: movePointer },
    { name: 'Receipt', path: '/receipt' },
    { name: 'Pools', path: '/pools' },
    ...['key', 'requests', 'webhooks', 'calls', 'faults'].map((page) => ({ name: page, path: `/build/${page}` })),
    { name: 'Health', path: '/operate/health' },
  ])('$name: a standard key lasts for its window', async ({ name, path, show, use }) => {
    const console_ = await openWithClock(path)
    await show?.(console_.page)
    await passTime(console_, { use })
    const { length } = console_.listCalls()
    console.log(`${name}: ${length} calls in ${window.seconds / 60} minutes`)
    expect(length).toBeLessThan(window.calls)
  })

  it.each(['', '/pools', '/build/webhooks', '/build/faults', '/operate/health'])(
    '/console%s makes no calls in a hidden tab',
    async (path) => {
      const console_ = await openWithClock(path)
      if (path === '') await quote(console_.page)
      // What the page shows first may lead to more calls, such as for the second curve of a pool.
      await passTime(console_, { seconds: 30 })
      await showTab(console_.page, false)
      const { length } = console_.listCalls()
      await passTime(console_)
      expect(console_.listCalls()).toHaveLength(length)
    },
  )

  async function openWithClock(path: string): Promise<OpenConsole> {
    const prepare = (context: BrowserContext) => context.clock.install()
    const opened = await open({ path, wallet: await createBrowserWallet(), prepare })
    await waitUntilLoaded(opened.page)
    return opened
  }
})

async function quote(page: Page): Promise<void> {
  await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
  await page.getByText('Quote valid for').waitFor()
}

async function movePointer(page: Page): Promise<void> {
  await page.mouse.move(Math.random() * 100, 500)
}

type Passing = {
  /** Default: the whole window. */
  readonly seconds?: number
  /** What the user does every few seconds. */
  readonly use?: ((page: Page) => Promise<void>) | undefined
}

/** Lets time pass in the page, with the responses to all calls of it. */
async function passTime({ page, listCalls }: OpenConsole, { seconds = window.seconds, use }: Passing = {}) {
  const stepSeconds = 5
  // A stream goes on for as long as its page is shown.
  const hasSettled = () => listCalls().every(({ procedure, isOver }) => isOver || procedure === 'stream.watch')
  const settle = () => vi.waitUntil(hasSettled, eventually)
  // From here on, time passes in these steps only.
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1000)
  await settle()
  for (let passed = 0; passed < seconds; passed += stepSeconds) {
    await use?.(page)
    await page.clock.runFor(stepSeconds * 1000)
    await settle()
  }
}
