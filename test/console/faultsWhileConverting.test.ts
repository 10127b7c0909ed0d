import { readFile } from 'node:fs/promises'
import { parseUnits } from 'viem'
import { afterEach, expect, it, vi } from 'vitest'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { setUp } from '../harness/setUp.ts'
import { eventually } from '../harness/timeLimits.ts'
import { conversionsIn, enter, pressConvert, readCode, readDone, shownConversions } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { holdPrompt } from './holdPrompt.ts'
import { readHolding } from './readHolding.ts'
import { startConsoleStack } from './startConsoleStack.ts'

const prompts = { signature: 1, conversion: 2 } as const

await describeConsole('faults during a conversion', (open) => {
  const stack = setUp(startConsoleStack)

  afterEach(() => stack.reset())

  it.each([
    ['stale-price', 'svc/stale-price'],
    ['pool-frozen', 'svc/pool-frozen'],
    ['rpc-down', 'svc/upstream-unavailable'],
    ['rpc-rate-limited', 'svc/upstream-unavailable'],
    ['rpc-garbage', 'svc/upstream-error'],
    ['rpc-slow', 'svc/upstream-timeout'],
  ] as const)(
    '%s while the wallet asks for a signature: %s is explained, and tried again after a reset',
    async (name, code) => {
      const { page, wallet, held } = await begin('signature')
      await stack.run(name)
      held.answer('confirm')
      await vi.waitUntil(async () => (await conversionsIn(page, 'Failed').count()) === 1, eventually)
      expect(await readCode(shownConversions(page).first())).toBe(code)
      expect(await holds('tAUD', wallet)).toBe(parseUnits('1000', 6))
      await stack.reset()
      await page.getByRole('button', { name: 'Try again' }).click()
      await readDone(page)
      expect(await holds('tAUD', wallet)).toBe(parseUnits('900', 6))
    },
  )

  it('price-move while the wallet asks for a signature: the conversion is made only at a new price that the user accepts', async () => {
    const { page, wallet, held } = await begin('signature')
    await stack.run('price-move', { symbol: 'tAUD', percent: -5 })
    held.answer('confirm')
    await page.getByText('Current price').waitFor()
    expect(await holds('tAUD', wallet)).toBe(parseUnits('1000', 6))
    await page.getByRole('button', { name: 'Convert at new price' }).click()
    const { received } = await readDone(page)
    expect(parseUnits(received, 6)).toBeLessThan(parseUnits('62', 6))
    expect(await holds('tUSD', wallet)).toBe(parseUnits('1000', 6) + parseUnits(received, 6))
  })

  it('a conversion whose pool is frozen during the prompt reverts: nothing is paid, and a toast on another page names the cause', async () => {
    const { page, wallet, held } = await begin('conversion')
    await page.getByRole('link', { name: 'Activity' }).click()
    await stack.run('pool-frozen')
    held.answer('confirm')
    const toasts = page.getByRole('region', { name: 'Notifications' })
    await toasts.getByText(/frozen/i).waitFor()
    await toasts.getByRole('link', { name: 'Show' }).click()
    await conversionsIn(page, 'Failed').waitFor()
    expect(await readCode(shownConversions(page).first())).toBe('svc/pool-frozen')
    expect(await holds('tAUD', wallet)).toBe(parseUnits('1000', 6))
  })

  it('no-mining: a conversion waits for its block, over a reload too, and is made once it is mined', async () => {
    const { page, wallet, held } = await begin('conversion')
    await page.getByRole('link', { name: 'Activity' }).click()
    await stack.run('no-mining')
    held.answer('confirm')
    await page.getByRole('region', { name: 'Notifications' }).getByText('Conversion sent').waitFor()
    await page.goBack()
    await page.getByText('Waiting for confirmation').first().waitFor()
    await page.reload()
    await shownConversions(page).first().getByText('Waiting for confirmation').first().waitFor()
    await stack.run('mine')
    await readDone(page)
    expect(await holds('tAUD', wallet)).toBe(parseUnits('900', 6))
  })

  it('reorg while a conversion is on its way: it is made once', async () => {
    const { page, wallet, held } = await begin('conversion')
    const replaced = stack.run('reorg', { depth: 2 })
    held.answer('confirm')
    await replaced
    await readDone(page)
    expect(await holds('tAUD', wallet)).toBe(parseUnits('900', 6))
  })

  it('reorg after a conversion: list and receipt say so within seconds, and confirm it again until it is final', async () => {
    const { page, context, held } = await begin('conversion')
    held.answer('confirm')
    await readDone(page)
    const card = shownConversions(page).first()
    await card.getByText(/Confirming \d+ of \d+/).waitFor()
    const receipt = await context.newPage()
    await receipt.goto(
      new URL((await card.getByRole('link', { name: 'Receipt' }).getAttribute('href')) ?? '', stack.url).href,
    )
    await receipt.getByText('Success', { exact: true }).waitFor()
    await receipt
      .getByText(/^Confirming \d+ of \d+$/)
      .first()
      .waitFor()
    const activity = await context.newPage()
    await activity.goto(`${stack.url}/console/receipt`)
    await activity.getByRole('row', { name: /100 tAUD → tUSD.*Done.*Confirming/ }).waitFor()
    const transactionHash = /0x[0-9a-f]{64}/.exec(receipt.url())?.[0]
    await stack.run('reorg', { transactionHash, outcome: 'pending' })
    await activity.getByRole('row', { name: /Reorganised/ }).waitFor()
    await page.getByText('Reorganised', { exact: true }).waitFor()
    for (const shown of [page, receipt]) await shown.getByText(/^The chain has removed the block/).waitFor()
    expect(await receipt.getByText('Success', { exact: true }).count()).toBe(0)
    await stack.run('mine')
    await receipt.getByText('Success', { exact: true }).waitFor()
    await connectOwner(stack.chains[84532]).client.mine({ blocks: 12 })
    await card.getByText(/ · Final$/).waitFor()
    await receipt.getByText('Final', { exact: true }).first().waitFor()
    await activity.getByRole('row', { name: /Done Final/ }).waitFor()
    const download = activity.waitForEvent('download')
    await activity.getByRole('button', { name: 'Export as CSV' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain(`,Done,${transactionHash},`)
    expect(await conversionsIn(page, 'Done').count()).toBe(1)
  })

  it('rpc-down after the conversion was sent: the page waits, and shows it as done after a reset', async () => {
    const { page, wallet, held } = await begin('conversion')
    await stack.run('rpc-down')
    held.answer('confirm')
    await expect.poll(() => holds('tAUD', wallet), eventually).toBe(parseUnits('900', 6))
    await stack.reset()
    await readDone(page)
    expect(await shownConversions(page).count()).toBe(1)
  })

  it('dry-faucet: the page explains that the faucet is empty, and claims after a reset', async () => {
    const { page, wallet } = await openWith({})
    await stack.run('dry-faucet')
    await page.getByRole('button', { name: 'Get test tokens' }).click()
    await vi.waitUntil(async () => (await readCode(page.getByRole('form'))) === 'svc/faucet-dry', eventually)
    await stack.reset()
    await page.getByRole('button', { name: 'Get test tokens' }).click()
    await expect.poll(() => holds('tAUD', wallet), eventually).toBe(parseUnits('1000', 6))
  })

  /** Starts a conversion of 100 tAUD, and waits until the wallet shows a prompt. */
  async function begin(prompt: keyof typeof prompts) {
    const opened = await openWith({ tUSD: '1000', tAUD: '1000' })
    const held = holdPrompt(opened.wallet, prompts[prompt])
    await enter(opened.page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(opened.page)
    await held.shown()
    return { ...opened, held }
  }

  async function openWith(holding: Readonly<Record<string, string>>) {
    const wallet = await createBrowserWallet({ chains: stack.chains, holding })
    return { ...(await open({ stack, wallet, faults: true })), wallet }
  }

  const holds = (symbol: string, wallet: TestWallet) => readHolding(symbol, wallet, { stack })
})
