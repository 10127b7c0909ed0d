import type { BrowserContext } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeConsole } from './describeConsole.ts'
import { waitUntilLoaded } from './views.ts'

const build = ['key', 'requests', 'webhooks', 'calls', 'faults'].map((name) => `/build/${name}`)
const operate = ['keys', 'audit', 'quotes', 'health'].map((name) => `/operate/${name}`)

await describeConsole('how far pages move while they load', (open) => {
  it.each(['/receipt', '/pools', ...build, ...operate])(
    'on a phone, /console%s moves by at most 0.01 of the screen',
    async (path) => {
      const prepare = (context: BrowserContext) => context.addInitScript(recordShifts)
      const { page } = await open({ path, prepare, viewport: { width: 412, height: 823 } })
      await waitUntilLoaded(page)
      const shifts = await page.evaluate<readonly Shift[]>('globalThis.shifts')
      const moved = shifts.reduce((sum, { value }) => sum + value, 0)
      expect(moved, JSON.stringify(shifts)).toBeLessThanOrEqual(0.01)
    },
  )
})

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
