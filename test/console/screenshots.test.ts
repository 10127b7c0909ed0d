import { Network } from '@agio/core'
import type { Page } from 'playwright-core'
import { afterAll, it } from 'vitest'
import { answerTestWallet, enter, pressConvert, readDone, shownConversions } from './convertFlow.ts'
import { describeConsole } from './describeConsole.ts'
import { screenshotsFolder, toScreenshotPath } from './screenshots.ts'
import { showColors, showView, views, type View } from './views.ts'

// Other tests count what the test wallet holds on the first network.
const path = `?chain=${Network.chainIds[1]}`

/** The pages with a conversion: each makes one of the test wallet. */
const conversionViews: readonly View[] = [
  {
    name: 'convert',
    path,
    async show(page) {
      await convert(page)
      await enter(page, { from: 'tAUD', to: 'tUSD', pay: '250' })
      await page.getByText(/^Quote valid for/).waitFor()
    },
  },
  {
    name: 'receipt',
    path,
    async show(page) {
      await convert(page)
      await shownConversions(page).first().getByRole('link', { name: 'Receipt' }).click()
      await page.getByText('The parts add up exactly to the amount received.').waitFor()
    },
  },
]

await describeConsole('screenshots of the console', (open) => {
  afterAll(() => console.log(`Screenshots of the console: ${screenshotsFolder}`))

  it.each([...conversionViews, ...views])('show $name in light and in dark', async (view) => {
    const page = await showView(open, view)
    for (const colorScheme of ['light', 'dark'] as const) {
      await showColors(page, colorScheme)
      await page.screenshot({ path: toScreenshotPath(`${view.name}-${colorScheme}`) })
    }
  })
})

/** Converts 100 tAUD by the test wallet, which claims them first if it has none. */
async function convert(page: Page): Promise<void> {
  await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
  const claim = page.getByRole('button', { name: 'Get test tokens' })
  await claim.or(page.getByText(/^Quote valid for/)).waitFor()
  if (await claim.isVisible()) {
    await claim.click()
    await answerTestWallet(page, 'to claim', 'Confirm')
    await claim.waitFor({ state: 'detached' })
  }
  await pressConvert(page)
  await answerTestWallet(page, 'a signature', 'Confirm')
  await answerTestWallet(page, 'to convert', 'Confirm')
  await readDone(page)
}
