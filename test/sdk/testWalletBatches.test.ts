import type { Localnet } from '@agio/localnet'
import { numberToHex, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { readBalance } from '../harness/readBalance.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import {
  codeOf,
  connect,
  encodeTransfer,
  promptsOf,
  recipient,
  sendTransfer,
  sendTransfers,
} from '../harness/walletRequests.ts'
import { chain, chainId, chains } from './sharedService.ts'

const hexChainId = numberToHex(chainId)

async function connectNew(chains: Localnet['chains']): Promise<TestWallet> {
  const wallet = await createFundedWallet(chains, { chainId, holding: { tUSD: '100' }, canBatch: true })
  await connect(wallet)
  return wallet
}

const getStatus = (wallet: TestWallet, id: string) =>
  wallet.request({ method: 'wallet_getCallsStatus', params: [id] }) as Promise<Record<string, unknown>>

const getCapabilities = (wallet: TestWallet, ...params: unknown[]) =>
  wallet.request({ method: 'wallet_getCapabilities', params: [wallet.address, ...params] })

describe('a batch of a test wallet', () => {
  it('is one transaction, which delegates the account the first time', async () => {
    const wallet = await connectNew(chains)
    const before = await readBalance(chain, chain.tokens.tUSD, recipient)
    const atomic = async () => await getCapabilities(wallet, [hexChainId, '0x1'])
    expect(await atomic()).toEqual({ [hexChainId]: { atomic: { status: 'ready' } } })
    for (const id of ['first', 'second']) {
      expect(await sendTransfers(wallet, chain, { id, from: wallet.address })).toEqual({ id })
      const receipts = [{ status: '0x1', logs: [{}, {}] }]
      const confirmed = { id, version: '2.0.0', chainId: hexChainId, status: 200, atomic: true, receipts }
      expect(await getStatus(wallet, id)).toMatchObject(confirmed)
      expect(await atomic()).toEqual({ [hexChainId]: { atomic: { status: 'supported' } } })
    }
    expect(await readBalance(chain, chain.tokens.tUSD, recipient)).toBe(before + 6n)
    expect(promptsOf(wallet)).toEqual(['eth_requestAccounts', 'wallet_sendCalls', 'wallet_sendCalls'])
    // The authorization takes a nonce, too.
    expect(await connectOwner(chain).client.getTransactionCount({ address: wallet.address })).toBe(3)
  })

  it('is unsupported on a chain without the contract', async () => {
    const wallet = await connectNew(chains)
    const unsupported = { [numberToHex(421614)]: { atomic: { status: 'unsupported' } } }
    expect(await getCapabilities(wallet)).toMatchObject(unsupported)
  })

  it('reverts as a whole, with status 500', async () => {
    const wallet = await connectNew(chains)
    const calls = [1n, 10n ** 18n].map((amountRaw) => ({ to: chain.tokens.tUSD, data: encodeTransfer(amountRaw) }))
    const { id } = await sendTransfers(wallet, chain, { calls })
    expect(await getStatus(wallet, id)).toMatchObject({ status: 500, receipts: [{ status: '0x0' }] })
    expect(await readBalance(chain, chain.tokens.tUSD, wallet.address)).toBe(100_000_000n)
  })

  it('error: 5750 when the user refuses the code that the account needs', async () => {
    const wallet = await connectNew(chains)
    wallet.answer('reject-upgrade')
    expect(await codeOf(sendTransfers(wallet, chain))).toBe(5750)
  })

  it.each([
    [5720, { id: 'taken' }],
    [5710, { chainId: '0x1' }],
    [4100, { from: recipient }],
    [-32_602, { version: '1.0' }],
    [-32_602, { calls: [{ to: recipient, value: '0x1' }] }],
  ])('error: %i for %o, without a prompt', async (code, fields) => {
    const wallet = await connectNew(chains)
    await sendTransfers(wallet, chain, { id: 'taken' })
    expect(await codeOf(sendTransfers(wallet, chain, fields))).toBe(code)
    expect(promptsOf(wallet)).toEqual(['eth_requestAccounts', 'wallet_sendCalls'])
  })

  it('error: 5730 for an unknown id', async () => {
    expect(await codeOf(getStatus(await connectNew(chains), 'unknown'))).toBe(5730)
  })
})

describe('what a test wallet has sent and is not mined yet', () => {
  let localnet: Localnet
  let client: ReturnType<typeof connectOwner>['client']

  beforeAll(async () => {
    localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000 })
    client = connectOwner(localnet.chains[chainId]).client
  })

  afterAll(async () => {
    await localnet?.stop()
  })

  async function prepare(): Promise<TestWallet> {
    const wallet = await connectNew(localnet.chains)
    await client.setAutomine(false)
    return wallet
  }

  async function mine(): Promise<void> {
    await client.mine({ blocks: 1 })
    await client.setAutomine(true)
  }

  it('is sped up more than once: only the last replacement is mined', async () => {
    const wallet = await prepare()
    const first = await sendTransfer(wallet, localnet.chains[chainId])
    const second = await wallet.speedUp(first)
    const third = await wallet.speedUp(first)
    await mine()
    expect(await client.getTransactionReceipt({ hash: third })).toMatchObject({ status: 'success', logs: [{}] })
    for (const hash of [first, second])
      await expect(client.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
    expect(await client.getTransactionCount({ address: wallet.address })).toBe(1)
  })

  it.each([
    ['speedUp', 200],
    ['cancel', 400],
  ] as const)('is a batch with status 100, and after %s with status %i', async (replace, status) => {
    const wallet = await prepare()
    const { id } = await sendTransfers(wallet, localnet.chains[chainId])
    expect(await getStatus(wallet, id)).toMatchObject({ status: 100 })
    await wallet[replace](await findPending(wallet.address))
    await mine()
    expect(await getStatus(wallet, id)).toMatchObject({ status })
  })

  it('is not replaced by a wallet that has not sent it', async () => {
    const wallet = await connectNew(localnet.chains)
    const hash = await sendTransfer(wallet, localnet.chains[chainId])
    await expect((await connectNew(localnet.chains)).speedUp(hash)).rejects.toThrow('has not sent it')
  })

  async function findPending(account: Hex): Promise<Hex> {
    const { transactions } = await client.getBlock({ blockTag: 'pending', includeTransactions: true })
    return transactions.find(({ from }) => from === account.toLowerCase())?.hash ?? '0x'
  }
})
