import { BrowserProvider } from 'ethers'
import {
  createClient,
  createWalletClient,
  custom,
  http,
  numberToHex,
  verifyTypedData,
  type Client,
  type WalletClient,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { localAccounts } from '@agio/localnet'
import { describe, expect, it, vi } from 'vitest'
import type { TypedData, Wallet, WalletTransaction } from '../../packages/sdk/src/index.ts'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { openWallet } from '../../packages/sdk/src/wallet/openWallet.ts'
import type { WalletSession } from '../../packages/sdk/src/wallet/WalletSession.ts'
import { fund } from '../harness/createHolder.ts'
import { eventually } from '../harness/timeLimits.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { connect, encodeTransfer, promptsOf } from '../harness/walletRequests.ts'
import { chain, chainId, chains, client, otherChainId } from './sharedService.ts'

const tUSD = chain.tokens['tUSD']

const typedData: TypedData = {
  domain: { name: 'Test', chainId, verifyingContract: tUSD },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Message: [{ name: 'amount', type: 'uint256' }],
  },
  primaryType: 'Message',
  message: { amount: (2n ** 200n).toString() },
}

/** A transfer of one raw tUSD, as the service would build it. */
const toTransfer = (from: WalletTransaction['from']): WalletTransaction => ({
  from,
  to: tUSD,
  data: encodeTransfer(1n),
  value: '0x0',
  gas: numberToHex(100_000),
  maxFeePerGas: numberToHex(3_000_000_000),
  maxPriorityFeePerGas: numberToHex(1_000_000),
  chainId: numberToHex(chainId),
  type: '0x2',
})

const createProvider = async (options: Partial<createFundedWallet.Options> = {}) =>
  await createFundedWallet(chains, { chainId, holding: { tUSD: '100' }, ...options })

/** A provider that throws the errors of ethers. */
function wrapByEthers(wallet: TestWallet): Wallet {
  const provider = new BrowserProvider(wallet, chainId)
  return { request: ({ method, params = [] }) => provider.send(method, params as unknown[]) }
}

/** What `connector.getProvider()` and `getConnectorClient()` of wagmi return. */
function wrapByWagmi(wallet: TestWallet): Client {
  return createClient({
    account: wallet.address,
    transport: (options) => custom(wallet)({ ...options, retryCount: 0 }),
  })
}

async function createLocalClient(): Promise<WalletClient> {
  const account = privateKeyToAccount(generatePrivateKey())
  await fund(chain, account.address, { tUSD: '100' })
  return createWalletClient({ account, transport: http(chain.rpcUrl) })
}

async function createNodeClient(): Promise<WalletClient> {
  const account = localAccounts[3].address
  await fund(chain, account, { tUSD: '100' })
  return createWalletClient({ account, transport: http(chain.rpcUrl) })
}

describe.each<[string, () => Promise<Wallet>]>([
  ['a viem WalletClient with a local account', createLocalClient],
  ['a viem WalletClient with an account of its node', createNodeClient],
  [
    'a viem WalletClient of a browser, without an account',
    async () => createWalletClient({ transport: custom(await createProvider()) }),
  ],
  ['a client of a connector of wagmi', async () => connectFirst(await createProvider(), wrapByWagmi)],
  ['the provider of a connector of wagmi', () => createProvider()],
  ['a provider that throws as ethers does', async () => wrapByEthers(await createProvider())],
])('a session with %s', (_, create) => {
  it('signs typed data with its account', async () => {
    const session = await openWallet(await create())
    await session.assertUnchanged(chainId)
    const signature = await session.signTypedData(typedData)
    const { types, domain, primaryType, message } = typedData
    const signed = { address: session.account, types, domain, primaryType, message, signature }
    expect(await verifyTypedData(signed as Parameters<typeof verifyTypedData>[0])).toBe(true)
  })

  it('sends a transaction, and finds it by its hash, in its block, and in the count of the account', async () => {
    const session = await openWallet(await create())
    const nonce = await session.countTransactions('pending')
    const hash = (await session.sendTransaction(toTransfer(session.account))) as `0x${string}`
    const { blockNumber } = await client.waitForTransactionReceipt({ hash })
    const to = tUSD.toLowerCase()
    const from = session.account.toLowerCase()
    const transaction = { hash, from, to, input: encodeTransfer(1n), nonce }
    const { gas, maxFeePerGas, maxPriorityFeePerGas } = await client.getTransaction({ hash })
    expect(await session.findTransaction(hash)).toEqual({
      ...transaction,
      gas,
      maxFeePerGas,
      maxPriorityFeePerGas,
      valueWei: 0n,
      blockNumber: Number(blockNumber),
    })
    const { transactions, timestamp } = await session.readBlock(Number(blockNumber))
    expect(transactions).toContainEqual(transaction)
    expect(timestamp).toBe(Number((await client.getBlock({ blockNumber })).timestamp))
    expect(await session.countTransactions('latest')).toBe(nonce + 1)
    expect(await session.findTransaction(`0x${'00'.repeat(31)}01`)).toBeUndefined()
  })

  it('error: wallet/failed for what the node refuses, with its code', async () => {
    const session = await openWallet(await create())
    const poor = { ...toTransfer(session.account), value: numberToHex(10n ** 30n) } as const
    await expect(session.sendTransaction(poor)).rejects.toMatchObject({
      code: 'wallet/failed',
      details: { method: 'eth_sendTransaction', walletCode: expect.any(Number) },
    })
  })
})

describe.each<[string, (wallet: TestWallet) => Wallet]>([
  ['a provider', (wallet) => wallet],
  ['a viem WalletClient over it', (wallet) => createWalletClient({ transport: custom(wallet) })],
  ['a client of wagmi over it', wrapByWagmi],
  ['ethers over it', wrapByEthers],
])('the decisions of the user, by %s', (_, wrap) => {
  const open = async (options?: Partial<createFundedWallet.Options>) => {
    const wallet = await createProvider(options)
    await connect(wallet)
    return { wallet, session: await openWallet(wrap(wallet)) }
  }

  it('error: wallet/rejected after one prompt for each request that the user refuses', async () => {
    const { wallet, session } = await open({ canBatch: true })
    wallet.answer('reject')
    const { account } = session
    const calls = [{ to: tUSD, data: encodeTransfer(1n), value: '0x0' }] as const
    const requests: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['eth_signTypedData_v4', () => session.signTypedData(typedData)],
      ['eth_sendTransaction', () => session.sendTransaction(toTransfer(account))],
      ['wallet_sendCalls', () => session.sendCalls({ id: 'refused', chainId, calls })],
      ['wallet_switchEthereumChain', () => session.switchChain(otherChainId)],
    ]
    const before = wallet.prompts.length
    for (const [method, request] of requests) {
      await expect(request()).rejects.toMatchObject({ code: 'wallet/rejected', details: { method } })
    }
    expect(promptsOf(wallet).slice(before)).toEqual(requests.map(([method]) => method))
    expect(await session.countTransactions('pending')).toBe(0)
  })

  it('a batch is sent once with the id of the app, and its state is the state of its transaction', async () => {
    const { wallet, session } = await open({ canBatch: true })
    expect(await session.canBatch(chainId)).toBe(true)
    const calls = [1n, 2n].map((raw) => ({ to: tUSD, data: encodeTransfer(raw), value: '0x0' }) as const)
    const id = numberToHex(BigInt(generatePrivateKey()), { size: 32 })
    expect(await session.findCalls(id)).toBeUndefined()
    expect(await session.sendCalls({ id, chainId, calls })).toBe(id)
    expect(await session.sendCalls({ id, chainId, calls })).toBe(id)
    expect(promptsOf(wallet).filter((method) => method === 'wallet_sendCalls')).toHaveLength(1)
    const { transactionHash } = await waitForCalls(session, id)
    expect(await client.getTransactionReceipt({ hash: transactionHash })).toMatchObject({ status: 'success' })
  })
})

it('the hash of a transaction that a local account has sent is returned even if the signal is aborted meanwhile', async () => {
  const controller = new AbortController()
  const wallet = await createLocalClient()
  const session = await openWallet(wallet, controller)
  const sending = session.sendTransaction(toTransfer(session.account))
  controller.abort()
  const hash = (await sending) as `0x${string}`
  expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  await expect(session.sendTransaction(toTransfer(session.account))).rejects.toMatchObject({ code: 'convert/aborted' })
})

it('a transaction of a local account is signed for its network, and the node of another one refuses it', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  await fund(chains[otherChainId], account.address, {})
  const session = await openWallet(createWalletClient({ account, transport: http(chains[otherChainId].rpcUrl) }))
  const sending = session.sendTransaction(toTransfer(session.account))
  await expect(sending).rejects.toMatchObject({ code: 'wallet/failed' })
  expect(await session.countTransactions('pending')).toBe(0)
})

async function connectFirst(wallet: TestWallet, wrap: (wallet: TestWallet) => Wallet): Promise<Wallet> {
  await connect(wallet)
  return wrap(wallet)
}

async function waitForCalls(session: WalletSession, id: string) {
  const transactionHash = await vi.waitUntil(async () => {
    const found = await session.findCalls(id)
    return found?.transactionHash
  }, eventually)
  return { transactionHash }
}
