import { Network, type Address } from '@agio/core'
import { erc20Abi, maxUint256, parseUnits, type Hex } from 'viem'
import { expect, inject, it } from 'vitest'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { promptsOf } from '../harness/walletRequests.ts'
import { fund } from '../harness/createHolder.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { writeContract } from '../harness/writeContract.ts'
import { amountField, enter, pressConvert, readDone } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { holdPrompt } from './holdPrompt.ts'
import { readHolding } from './readHolding.ts'

const send = 'eth_sendTransaction'
const sign = 'eth_signTypedData_v4'

await describeConsole('conversions by a wallet of the browser', (open) => {
  const chain = () => inject('stack').chains[Network.defaultChainId]

  it.each([
    { from: 'tAUD', to: 'tUSD', prompts: [sign, send], way: 'by one signature, as it has permits' },
    { from: 'tUSD', to: 'tAUD', prompts: [send, send], way: 'by an approval, as it has no permits' },
    { from: 'tUSD', to: 'tAUD', prompts: [sign, send], way: 'by a signature for Permit2, which may take it' },
    { from: 'tEUR', to: 'tUSD', prompts: [send, send, send], way: 'by a reset and an approval, as it demands them' },
    { from: 'tAUD', to: 'tEUR', prompts: [sign, send], way: 'over two pools' },
  ])('$from is converted to $to $way', async ({ from, to, prompts, way }) => {
    const wallet = await createBrowserWallet()
    if (from === 'tEUR') await approve(wallet, { token: from, spender: chain().router, amount: 1n })
    if (way.includes('Permit2')) await approve(wallet, { token: from, spender: permit2, amount: maxUint256 })
    const { page } = await open({ wallet })
    await enter(page, { from, to, pay: '100' })
    await pressConvert(page)
    const { paid, received } = await readDone(page)
    expect(parseUnits(paid, 6)).toBe(parseUnits('100', 6))
    expect(promptsOf(wallet).slice(1)).toEqual(prompts)
    expect(await readHolding(from, wallet)).toBe(parseUnits('900', 6))
    expect(await readHolding(to, wallet)).toBe(parseUnits('1000', 6) + parseUnits(received, 6))
  })

  it('an amount to receive is received to the unit', async () => {
    const wallet = await createBrowserWallet()
    const { page } = await open({ wallet })
    await enter(page, { from: 'tAUD', to: 'tUSD', receive: '65' })
    await expect.poll(() => amountField(page, 'You pay').inputValue(), eventually).toBe('99.865659')
    await pressConvert(page)
    const { paid } = await readDone(page)
    expect(await readHolding('tUSD', wallet)).toBe(parseUnits('1065', 6))
    expect(await readHolding('tAUD', wallet)).toBe(parseUnits('1000', 6) - parseUnits(paid, 6))
  })

  it('the whole balance is paid, with any number of digits', async () => {
    const wallet = await createBrowserWallet({ holding: { tAUD: '12.345678' } })
    const { page } = await open({ wallet })
    await enter(page, { from: 'tAUD', to: 'tUSD' })
    await page.getByRole('button', { name: 'Max' }).click()
    await pressConvert(page)
    expect((await readDone(page)).paid).toBe('12.345678')
    expect(await readHolding('tAUD', wallet)).toBe(0n)
  })

  it('tokens that arrive from elsewhere show in the balance', async () => {
    const wallet = await createBrowserWallet({ holding: { tAUD: '1' } })
    const { page } = await open({ wallet })
    await enter(page, { from: 'tAUD', to: 'tUSD' })
    await page.getByText(/^Balance 1\D/).waitFor()
    await fund(chain(), wallet.address, { tAUD: '2.5' })
    await page.getByText(/^Balance 3\.5\D/).waitFor()
  })

  it('swapped tokens are converted the other way', async () => {
    const wallet = await createBrowserWallet()
    const { page } = await open({ wallet })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '10' })
    await page.getByRole('button', { name: 'Swap the tokens' }).click()
    await pressConvert(page)
    await readDone(page)
    expect(await readHolding('tUSD', wallet)).toBe(parseUnits('990', 6))
  })

  it('a wallet that holds too little is told so, gets tokens of the faucet, and is told when it gets more', async () => {
    const wallet = await createBrowserWallet({ holding: { tAUD: '1' } })
    const { page } = await open({ wallet })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '1001' })
    await page.getByText('The wallet does not hold enough tAUD', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Get test tokens' }).click()
    // The keyboard goes on where it was.
    await page
      .locator(':focus')
      .and(page.getByRole('button', { name: 'Convert', exact: true, disabled: false }))
      .waitFor()
    await pressConvert(page)
    await readDone(page)
    expect(await readHolding('tAUD', wallet)).toBe(0n)
    await page.getByText(/^This wallet holds no tAUD\. You can claim again at/).waitFor()
  })

  it('an open prompt for test tokens does not hold up the conversion of another token', async () => {
    const wallet = await createBrowserWallet({ holding: { tUSD: '1000' } })
    const { page } = await open({ wallet })
    const held = holdPrompt(wallet, 1)
    await page.getByRole('button', { name: 'Get test tokens' }).click()
    await held.shown()
    await enter(page, { from: 'tUSD', to: 'tAUD', pay: '10' })
    await pressConvert(page)
    await readDone(page)
    held.answer('confirm')
    await page.getByText(/^Balance 1,01\d/).waitFor()
  })

  it('a token that was approved before is converted by one transaction', async () => {
    const wallet = await createBrowserWallet()
    const { page } = await open({ wallet })
    await enter(page, { from: 'tUSD', to: 'tAUD', pay: '100' })
    const plan = page.getByText('The conversion first asks for an approval.')
    await plan.waitFor()
    await page.getByRole('button', { name: 'Approve now' }).click()
    await plan.waitFor({ state: 'detached' })
    expect(promptsOf(wallet).slice(1)).toEqual([send])
    await pressConvert(page)
    await readDone(page)
    expect(promptsOf(wallet).slice(1)).toEqual([send, send])
  })

  async function approve(wallet: TestWallet, { token, spender, amount }: Approval): Promise<void> {
    const { client } = connectOwner(chain())
    const account = wallet.address
    const address = chain().tokens[token] as Address
    await writeContract(client, { account, address, abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
  }
})

const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

type Approval = { readonly token: string; readonly spender: Hex; readonly amount: bigint }
