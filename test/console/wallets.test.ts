import { Network } from '@agio/core'
import { parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, it } from 'vitest'
import { testAccounts, type TestWallet } from '../../packages/sdk/src/testing.ts'
import { promptsOf } from '../harness/walletRequests.ts'
import { answerTestWallet, enter, pressConvert, readCode, readDone, shownConversions } from './convertFlow.ts'
import { eventually } from '../harness/timeLimits.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { walletName } from './installWallet.ts'
import { readHolding } from './readHolding.ts'

await describeConsole('the wallets of the console', (open) => {
  const otherId = Network.chainIds.find((chainId) => chainId !== Network.defaultChainId)
  if (otherId === undefined) throw new Error('Cannot test another network: there is only one')

  it('the test wallet is connected at first, stays disconnected after a reload, and connects again', async () => {
    const { page } = await open()
    const header = page.getByRole('banner')
    await header.getByRole('button', { name: 'Test wallet' }).click()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.reload()
    await header.getByRole('button', { name: 'Connect wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Test wallet' }).click()
    await answerTestWallet(page, 'to see the address', 'Confirm')
    await header.getByRole('button', { name: 'Test wallet' }).waitFor()
    await page.reload()
    await header.getByRole('button', { name: 'Test wallet' }).waitFor()
  })

  it('a wallet of the browser is connected, and its account is shown as it changes', async () => {
    const wallet = await createBrowserWallet()
    const { page } = await open({ wallet })
    const button = page.getByRole('banner').getByRole('button', { name: walletName })
    await expect.poll(() => button.innerText()).toContain(wallet.address.slice(-4))
    const key = generatePrivateKey()
    wallet.setAccount(key)
    await expect.poll(() => button.innerText()).toContain(privateKeyToAddress(key).slice(-4))
  })

  it('a user who refuses to connect is told so, and connects then', async () => {
    const wallet = await createBrowserWallet()
    const { page } = await open({ wallet })
    await page.getByRole('banner').getByRole('button', { name: walletName }).click()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    wallet.disconnect()
    wallet.answer('reject')
    const header = page.getByRole('banner')
    await header.getByRole('button', { name: /Connect wallet|Test wallet/ }).waitFor()
    expect(await header.getByRole('button', { name: 'Connect wallet' }).count()).toBe(1)
    await header.getByRole('button', { name: 'Connect wallet' }).click()
    const choice = page.getByRole('dialog').getByRole('button', { name: walletName })
    await choice.click()
    await page.getByText('Rejected in wallet').waitFor()
    wallet.answer('confirm')
    await choice.click()
    await header.getByRole('button', { name: walletName }).waitFor()
  })

  it('a wallet on another network is asked to switch, and converts on the right one', async () => {
    const wallet = await createBrowserWallet()
    wallet.setChain(otherId)
    const { page } = await open({ wallet })
    await page.getByText(`The wallet is on ${Network.names[otherId]}`).waitFor()
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(page)
    await readDone(page)
    const prompts = ['wallet_switchEthereumChain', 'eth_signTypedData_v4', 'eth_sendTransaction']
    expect(promptsOf(wallet).slice(1)).toEqual(prompts)
    expect(await readHolding('tAUD', wallet)).toBe(parseUnits('900', 6))
  })

  it('a refusal to switch ends the conversion, which can be tried again', async () => {
    const wallet = await createBrowserWallet()
    wallet.setChain(otherId)
    const { page } = await open({ wallet })
    wallet.answer('reject')
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(page)
    const conversion = shownConversions(page).first()
    expect(await readCode(conversion)).toBe('wallet/rejected')
    wallet.answer('confirm')
    await conversion.getByRole('button', { name: 'Try again' }).click()
    await readDone(page)
  })

  it('on the network that is selected in the header the page converts there', async () => {
    const wallet = await createBrowserWallet({ chainId: otherId })
    const { page } = await open({ wallet })
    await page.getByLabel('Network').selectOption({ label: Network.names[otherId] })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(page)
    const { received } = await readDone(page)
    expect(await readHolding('tUSD', wallet, { chainId: otherId })).toBe(
      parseUnits('1000', 6) + parseUnits(received, 6),
    )
  })

  it.each([
    ['fails', () => Promise.reject(new Error('The wallet cannot reach its node'))],
    ['gets no answer', () => new Promise(() => {})],
  ])('balances whose first read %s are read again', async (_, answer) => {
    const wallet = await createBrowserWallet()
    let reads = 0
    const failing: TestWallet = {
      ...wallet,
      async request(args) {
        if (args.method === 'eth_call' && (reads += 1) === 1) return await answer()
        return await wallet.request(args)
      },
    }
    const { page } = await open({ wallet: failing })
    await expect.poll(() => reads, eventually).toBeGreaterThan(0)
    await page.getByText('Balance 1,000').first().waitFor()
  })

  it('an account that is chosen in the middle of a conversion ends it, and nothing is sent', async () => {
    const wallet = await createBrowserWallet()
    // The plan of the quote is not for the other account.
    const { page } = await open({ wallet, faults: true })
    wallet.answer(({ method }) => {
      if (method === 'eth_signTypedData_v4') wallet.setAccount(testAccounts[3].privateKey)
      return 'confirm'
    })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(page)
    expect(await readCode(shownConversions(page).first())).toBe('wallet/account-changed')
    expect(promptsOf(wallet)).not.toContain('eth_sendTransaction')
  })
})
