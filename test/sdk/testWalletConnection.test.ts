import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createTestWallet, type TestWallet } from '../../packages/sdk/src/testing.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { fund } from '../harness/createHolder.ts'
import { codeOf, connect, promptsOf, sendTransfer, sendTransfers } from '../harness/walletRequests.ts'
import { chain, chainId, chains, client } from './sharedService.ts'

const sign = (wallet: TestWallet) => {
  const types = { Message: [{ name: 'amount', type: 'uint256' }] }
  const typedData = { domain: { name: 'Test', chainId }, types, primaryType: 'Message', message: { amount: '5' } }
  return wallet.request({ method: 'eth_signTypedData_v4', params: [wallet.address, typedData] })
}

describe('a new test wallet', () => {
  const rpcUrls = { [chainId]: chain.rpcUrl }

  it('is connected: it shows its account, and sends and signs without a request to connect', async () => {
    const wallet = createTestWallet({ privateKey: generatePrivateKey(), chainId, rpcUrls })
    await fund(chain, wallet.address, { tUSD: '100' })
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([wallet.address])
    expect(await connect(wallet)).toEqual([wallet.address])
    const hash = await sendTransfer(wallet, chain)
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    await sign(wallet)
    expect(promptsOf(wallet)).toEqual(['eth_sendTransaction', 'eth_signTypedData_v4'])
  })
})

describe('a test wallet that is not connected', () => {
  it('shows no account, and asks once to connect', async () => {
    const wallet = await createFundedWallet(chains, { chainId })
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
    expect(await connect(wallet)).toEqual([wallet.address])
    expect(await connect(wallet)).toEqual([wallet.address])
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([wallet.address])
    expect(promptsOf(wallet)).toEqual(['eth_requestAccounts'])
  })

  it('error: 4001 when the user refuses to connect, and it asks again', async () => {
    const wallet = await createFundedWallet(chains, { chainId })
    wallet.answer('reject')
    expect(await codeOf(connect(wallet))).toBe(4001)
    wallet.answer('confirm')
    expect(await connect(wallet)).toEqual([wallet.address])
    expect(promptsOf(wallet)).toEqual(['eth_requestAccounts', 'eth_requestAccounts'])
  })

  it('error: 4100 for a signature, a transaction or a batch, without a prompt', async () => {
    const wallet = await createFundedWallet(chains, { chainId, canBatch: true })
    expect(await codeOf(sign(wallet))).toBe(4100)
    expect(await codeOf(sendTransfer(wallet, chain))).toBe(4100)
    expect(await codeOf(sendTransfers(wallet, chain))).toBe(4100)
    expect(wallet.prompts).toEqual([])
  })
})
