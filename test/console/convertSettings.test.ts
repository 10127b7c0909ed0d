import { expect, it } from 'vitest'
import { parseUnits } from 'viem'
import { promptsOf } from '../harness/walletRequests.ts'
import { conversionsIn, enter, pressConvert, readDone, toDecimal } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { holdPrompt } from './holdPrompt.ts'
import { inspectColors } from './inspectPage.ts'
import { readHolding } from './readHolding.ts'

await describeConsole('the settings and the news of conversions', (open) => {
  it('another account receives, by an approval instead of a signature, until the page is reloaded', async () => {
    const [wallet, other] = await Promise.all([createBrowserWallet(), createBrowserWallet()])
    const stranger = '0x00000000000000000000000000000000000000bb'
    const { page } = await open({ wallet, path: `/?recipient=${stranger}&slippageBps=5000` })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Settings' })
    const recipient = dialog.getByRole('textbox', { name: 'Recipient' })
    expect(await recipient.inputValue()).toBe('')
    await recipient.fill('0x12')
    await dialog.getByText(/^Enter an address/).waitFor()
    await recipient.fill(other.address)
    await dialog.getByText('Transaction', { exact: true }).click()
    await dialog.getByText('5 min', { exact: true }).click()
    await inspectColors(page, 'convert-settings')
    await dialog.getByRole('button', { name: 'Close settings' }).click()
    await page.getByText(/^Deadline 5 min · Approval by transaction · To 0x/).waitFor()
    await pressConvert(page)
    const { received } = await readDone(page)
    expect(promptsOf(wallet).slice(1)).toEqual(['eth_sendTransaction', 'eth_sendTransaction'])
    expect(await readHolding('tUSD', other)).toBe(parseUnits('1000', 6) + parseUnits(received, 6))
    await page.reload()
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    expect(await recipient.inputValue()).toBe('')
  })

  it('a toast tells on other pages what a conversion does, and none repeats a card that is in the window', async () => {
    const wallet = await createBrowserWallet()
    const { page } = await open({ wallet, viewport: { width: 1280, height: 1800 } })
    const toasts = page.getByRole('region', { name: 'Notifications' })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(page)
    await conversionsIn(page, 'Done').waitFor()
    expect(await toasts.count()).toBe(0)
    await enter(page, { pay: '50' })
    const held = holdPrompt(wallet, 1)
    await pressConvert(page)
    await held.shown()
    await page.getByRole('link', { name: 'Pools' }).click()
    held.answer('confirm')
    const title = toasts.getByText(/^Received /)
    // A toast stays while it has the focus.
    await toasts.getByRole('link', { name: 'Receipt' }).focus()
    const received = toDecimal(((await title.textContent()) ?? '').replace('Received ', ''))
    await inspectColors(page, 'toast')
    await toasts.getByRole('link', { name: 'Receipt' }).click()
    await page.getByText('The parts add up exactly to the amount received.').waitFor()
    expect(await page.getByText(received).count()).toBeGreaterThan(0)
    await toasts.getByRole('button', { name: 'Dismiss the notification' }).click()
    await toasts.waitFor({ state: 'detached' })
  })
})
