import { Network } from '@agio/core'
import type { Page } from 'playwright-core'
import { erc20Abi, parseUnits } from 'viem'
import { expect, inject, it, vi } from 'vitest'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { writeContract } from '../harness/writeContract.ts'
import { conversionsIn, enter, pressConvert, readDone, shownConversions } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { holdPrompt } from './holdPrompt.ts'
import { readHolding } from './readHolding.ts'

await describeConsole('conversions over reloads and several tabs', (open) => {
  const chain = () => inject('stack').chains[Network.defaultChainId]

  it.each([
    ['a signature', 'tAUD', 1],
    ['the conversion, after a signature', 'tAUD', 2],
    ['a reset', 'tEUR', 1],
    ['an approval', 'tEUR', 2],
    ['the conversion, after an approval', 'tEUR', 3],
  ])('a page that is reloaded while the wallet asks for %s converts once', async (_, from, prompt) => {
    const wallet = await createBrowserWallet()
    if (from === 'tEUR') await approveRest(wallet)
    const { page } = await open({ wallet })
    const held = holdPrompt(wallet, prompt)
    await enter(page, { from, to: 'tUSD', pay: '100' })
    await pressConvert(page)
    await held.shown()
    await page.reload()
    await shownConversions(page).first().waitFor()
    held.answer('confirm')
    await goOn(page)
    await readDone(page)
    expect(await readHolding(from, wallet)).toBe(parseUnits('900', 6))
    expect(await shownConversions(page).count()).toBe(1)
  })

  it('a page that is closed while the wallet asks goes on when it is opened again, and converts once', async () => {
    const wallet = await createBrowserWallet()
    const { page, context } = await open({ wallet })
    const held = holdPrompt(wallet, 2)
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(page)
    await held.shown()
    await page.close()
    held.answer('confirm')
    const again = await context.newPage()
    await again.goto(`${inject('stack').url}/console`)
    await goOn(again)
    await readDone(again)
    expect(await readHolding('tAUD', wallet)).toBe(parseUnits('900', 6))
  })

  it('two tabs that convert one token at once convert one after the other, and the second one says that it waits', async () => {
    const wallet = await createBrowserWallet()
    const { page, context } = await open({ wallet })
    const held = holdPrompt(wallet, 2)
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(page)
    await held.shown()
    const other = await context.newPage()
    await other.goto(`${inject('stack').url}/console`)
    await enter(other, { from: 'tAUD', to: 'tUSD', pay: '50' })
    await pressConvert(other)
    await other.getByText('Wait for another conversion of tAUD').first().waitFor()
    held.answer('confirm')
    await expect.poll(() => conversionsIn(other, 'Done').count(), eventually).toBe(2)
    expect(await conversionsIn(page, 'Failed').count()).toBe(0)
    expect(await readHolding('tAUD', wallet)).toBe(parseUnits('850', 6))
  })

  it('another tab shows a conversion that runs, and its end', async () => {
    const wallet = await createBrowserWallet()
    const { page, context } = await open({ wallet })
    const held = holdPrompt(wallet, 2)
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(page)
    await held.shown()
    const other = await context.newPage()
    await other.goto(`${inject('stack').url}/console`)
    await conversionsIn(other, 'In another tab').waitFor()
    held.answer('confirm')
    expect(await readDone(other)).toEqual(await readDone(page))
    expect(await readHolding('tAUD', wallet)).toBe(parseUnits('900', 6))
  })

  /** Leaves the token with an allowance that must be reset. */
  async function approveRest({ address: account }: TestWallet): Promise<void> {
    const address = chain().tokens.tEUR
    const args = [chain().router, 1n] as const
    const { client } = connectOwner(chain())
    await writeContract(client, { account, address, abi: erc20Abi, functionName: 'approve', args })
  }
})

/** Presses `Resume` if the newest conversion waits for the user. */
async function goOn(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Resume' })
  await vi.waitUntil(async () => {
    // It is replaced once the page finds the transaction by itself.
    if (await button.isVisible()) await button.click({ timeout: 500 }).catch(() => {})
    return (await conversionsIn(page, 'Done').count()) > 0
  }, eventually)
}
