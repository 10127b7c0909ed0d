import type { Page } from 'playwright-core'
import { parseUnits } from 'viem'
import { afterAll, expect, it } from 'vitest'
import { testAccounts } from '../../packages/sdk/src/testing.ts'
import { eventually } from '../harness/timeLimits.ts'
import { amountField, answerTestWallet, enter, readDone, shownConversions, toDecimal } from './convertFlow.ts'
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
    expect(Object.keys(parts)).toEqual(['Oracles’ amount', 'Price move', 'Impact', 'Fee', 'Rounding'])
    // Not at all widths: on a phone, the field of the receipt is narrower than a hash.
    await inspectColors(page, 'receipt')
  })

  it.each(views)(
    'axe finds nothing in $name, and nothing of it is cut off or beyond the sides, from 360 px to 4K',
    async (view) => inspectPage(await showView(open, view), view.name),
  )
})

/** Reads the parts of a receipt from its table, in raw units by their names. */
async function readParts(page: Page): Promise<Record<string, bigint>> {
  const rows = page.getByRole('main').locator('tbody tr')
  await rows.first().waitFor()
  const cells = await Promise.all((await rows.all()).map((row) => row.locator('th, td').allInnerTexts()))
  return Object.fromEntries(
    cells.map(([name = '', amount = '']) => [name.split('\n')[0], parseUnits(toDecimal(amount).replace('+', ''), 6)]),
  )
}
