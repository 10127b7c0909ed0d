import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import type { openConsole } from './openConsole.ts'
import { waitUntilLoaded } from './views.ts'

const build = ['key', 'requests', 'webhooks', 'calls', 'faults'].map((name) => `/build/${name}`)
const operate = ['keys', 'audit', 'quotes', 'health'].map((name) => `/operate/${name}`)

await describeConsole('how far pages move while they load', (open) => {
  const openOnPhone = (options: openConsole.Options) => {
    const prepare = (context: BrowserContext) => context.addInitScript(recordShifts)
    return open({ ...options, prepare, viewport: { width: 412, height: 823 } })
  }

  // Lists with entries are higher than while they load.
  beforeAll(async () => {
    const call = createTrpcCaller({ url: inject('stack').url, apiKey: 'local-key' })
    await call('webhooks.create', { url: 'http://127.0.0.1:4000/webhooks' })
  })

  it.each(['/receipt', '/pools', ...build, ...operate])(
    'on a phone, /console%s moves by at most 0.01 of the screen',
    async (path) => {
      const { page } = await openOnPhone({ path })
      await waitUntilLoaded(page)
      await expectStill(page)
    },
  )

  it('on a phone, the page of conversions moves by at most 0.01 of the screen, also for an empty wallet', async () => {
    const { page } = await openOnPhone({ wallet: await createBrowserWallet({ holding: {} }) })
    // The wallet was connected by clicks, and what moves after a click does not count.
    await page.reload()
    await page.getByRole('button', { name: 'Get test tokens' }).waitFor()
    await expectStill(page)
  })
})

/** Asserts that what was drawn has not moved since the page was opened. */
async function expectStill(page: Page): Promise<void> {
  // A shift is reported after the frame that shows it.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  )
  const shifts = await page.evaluate<readonly Shift[]>('globalThis.shifts')
  const moved = shifts.reduce((sum, { value }) => sum + value, 0)
  expect(moved, JSON.stringify(shifts)).toBeLessThanOrEqual(0.01)
}

type Shift = { readonly value: number; readonly moved: readonly string[] }

/** Runs in each page. */
function recordShifts(): void {
  const page = globalThis as unknown as { shifts: Shift[]; PerformanceObserver: Observer }
  page.shifts = []
  new page.PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const moved = entry.sources.map(({ node }) => node?.className ?? '')
      if (!entry.hadRecentInput) page.shifts.push({ value: entry.value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** The used parts of an observer and of its entries. Their types are declared by browsers. */
type Observer = new (onEntries: (list: { getEntries(): readonly LayoutShift[] }) => void) => {
  observe(options: { readonly type: 'layout-shift'; readonly buffered: boolean }): void
}

type LayoutShift = {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node?: { readonly className?: string } }[]
}
