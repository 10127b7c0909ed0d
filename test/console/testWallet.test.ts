import { Network } from '@agio/core'
import type { Locator, Page } from 'playwright-core'
import { parseUnits } from 'viem'
import { expect, inject, it } from 'vitest'
import { testAccounts } from '../../packages/sdk/src/testing.ts'
import { fund } from '../harness/createHolder.ts'
import { amountField, answerTestWallet, conversionsIn, enter, pressConvert, readCode, readDone } from './convertFlow.ts'
import { describeConsole } from './describeConsole.ts'
import { readHolding } from './readHolding.ts'

const { address: account } = testAccounts[1]

// `smoke.test.ts` counts what the test wallet holds on the default network.
const chainId = Network.chainIds[1] as Network.ChainId
const path = `?chain=${chainId}`

await describeConsole('conversions by the test wallet of the page', (open) => {
  const chain = () => inject('stack').chains[chainId]
  const holds = (symbol: string) => readHolding(symbol, testAccounts[1], { chainId })

  it('a refused signature ends the conversion, which is tried again with an approval', async () => {
    await fund(chain(), account, { tAUD: '50' })
    const before = await holds('tAUD')
    const { page } = await open({ path })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '50' })
    await pressConvert(page)
    await answerTestWallet(page, 'a signature', 'Reject')
    await expectRefused(page)
    expect(await holds('tAUD')).toBe(before)
    await page.getByRole('button', { name: 'Try again' }).click()
    await answerTestWallet(page, 'to let a contract take', 'Confirm')
    await answerTestWallet(page, 'to convert', 'Confirm')
    await readDone(page)
    expect(await holds('tAUD')).toBe(before - parseUnits('50', 6))
  })

  it('a refused conversion sends nothing, and is tried again with the signature that was given', async () => {
    await fund(chain(), account, { tAUD: '50' })
    const before = await holds('tAUD')
    const { page } = await open({ path })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '50' })
    await pressConvert(page)
    await answerTestWallet(page, 'a signature', 'Confirm')
    await answerTestWallet(page, 'to convert', 'Reject')
    await expectRefused(page)
    expect(await holds('tAUD')).toBe(before)
    await page.getByRole('button', { name: 'Try again' }).click()
    await answerTestWallet(page, 'to convert', 'Confirm')
    await readDone(page)
    expect(await holds('tAUD')).toBe(before - parseUnits('50', 6))
  })

  it('to close the dialogue of the wallet by Escape is to refuse an approval, which ends the conversion', async () => {
    await fund(chain(), account, { tUSD: '50' })
    const before = await holds('tUSD')
    const { page } = await open({ path })
    await enter(page, { from: 'tUSD', to: 'tAUD', pay: '50' })
    await pressConvert(page)
    await page.getByText('This page wants to let a contract take').waitFor()
    await page.keyboard.press('Escape')
    await expectRefused(page)
    expect(await holds('tUSD')).toBe(before)
  })

  it('a prompt that is open when the page is reloaded is shown again, and confirming it converts once', async () => {
    await fund(chain(), account, { tAUD: '50' })
    const before = await holds('tAUD')
    const { page } = await open({ path })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '50' })
    await pressConvert(page)
    await answerTestWallet(page, 'a signature', 'Confirm')
    await page.getByText('This page wants to convert').waitFor()
    await page.reload()
    await answerTestWallet(page, 'to convert', 'Confirm')
    await readDone(page)
    expect(await holds('tAUD')).toBe(before - parseUnits('50', 6))
  })

  it('a whole conversion needs only the keyboard', async () => {
    await fund(chain(), account, { tEUR: '50' })
    const before = await holds('tEUR')
    const { page } = await open({ path })
    await amountField(page, 'You pay').waitFor()
    await tabTo(page, 'Token to pay: tAUD')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Search by name or address' }).waitFor()
    await page.keyboard.type('euro')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Token to pay: tEUR' }).waitFor()
    await tabTo(page, 'You pay', 'Shift+Tab')
    await page.keyboard.type('50')
    await page.getByText('Quote valid for').waitFor()
    await tabTo(page, 'Convert')
    await page.keyboard.press('Enter')
    for (const asked of ['to let a contract take', 'to convert']) {
      const prompt = page.getByRole('dialog').filter({ hasText: `This page wants ${asked}` })
      await prompt.waitFor()
      await tabTo(page, 'Confirm')
      await page.keyboard.press('Enter')
      await prompt.waitFor({ state: 'detached' })
    }
    await readDone(page)
    expect(await holds('tEUR')).toBe(before - parseUnits('50', 6))
  })
})

async function expectRefused(page: Page): Promise<void> {
  expect(await readCode(conversionsIn(page, 'Rejected'))).toBe('wallet/rejected')
}

/** Presses Tab until an element with a label has the focus. */
async function tabTo(page: Page, label: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press(key)
    const focused = page.locator(':focus')
    if ((await focused.count()) > 0 && (await toLabel(focused)) === label) return
  }
  throw new Error(`Cannot reach '${label}' by ${key}`)
}

/** Returns the label of an element, or its text. */
async function toLabel(element: Locator): Promise<string> {
  return await element.evaluate(
    ({ ariaLabel, labels, textContent }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent,
  )
}
