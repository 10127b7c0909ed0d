import { localAccounts } from '@agio/localnet'
import { numberToHex, verifyTypedData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  announceWallet,
  createTestWallet,
  ProviderError,
  testAccounts,
  type TestWallet,
} from '../../packages/sdk/src/testing.ts'
import { fund } from '../harness/createHolder.ts'
import { readBalance } from '../harness/readBalance.ts'
import { eventually } from '../harness/timeLimits.ts'
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
import { chain, chainId, chains, client, otherChainId } from './sharedService.ts'

const typedData = {
  domain: { name: 'Test', chainId },
  types: { Message: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Message',
  message: { amount: '5' },
} as const

const sign = (wallet: TestWallet, given: unknown = typedData) =>
  wallet.request({ method: 'eth_signTypedData_v4', params: [wallet.address, given] }) as Promise<Hex>

const switchChain = (wallet: TestWallet, id = otherChainId) =>
  wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: numberToHex(id) }] })

async function connectNew(options: Partial<createFundedWallet.Options> = {}): Promise<TestWallet> {
  const wallet = await createFundedWallet(chains, { chainId, holding: { tUSD: '100' }, ...options })
  await connect(wallet)
  return wallet
}

it('the test accounts equal the accounts of the local chains', () => {
  expect(testAccounts).toEqual(localAccounts)
})

describe('a test wallet', () => {
  it('signs typed data that it gets as JSON or as an object', async () => {
    const wallet = await connectNew()
    const message = { amount: 5n }
    for (const given of [typedData, JSON.stringify(typedData)]) {
      const signature = await sign(wallet, given)
      expect(await verifyTypedData({ ...typedData, message, address: wallet.address, signature })).toBe(true)
    }
    expect(promptsOf(wallet)).toEqual(['eth_requestAccounts', 'eth_signTypedData_v4', 'eth_signTypedData_v4'])
  })

  it('sends a transaction with gas and fees from the node, or with gas and fees from the application', async () => {
    const wallet = await connectNew()
    const before = await readBalance(chain, chain.tokens.tUSD, recipient)
    await sendTransfer(wallet, chain)
    const given = { gas: '0x30d40', maxFeePerGas: '0x12a05f200', maxPriorityFeePerGas: '0x1' }
    const hash = await sendTransfer(wallet, chain, given)
    expect(await client.getTransaction({ hash })).toMatchObject({
      gas: 200_000n,
      maxFeePerGas: 5_000_000_000n,
      maxPriorityFeePerGas: 1n,
      nonce: 1,
    })
    expect(await readBalance(chain, chain.tokens.tUSD, recipient)).toBe(before + 2n)
  })

  it('fails with what the function that answers throws', async () => {
    const wallet = await connectNew()
    wallet.answer(() => {
      throw new ProviderError(-32_603, 'Internal error')
    })
    expect(await codeOf(sendTransfer(wallet, chain))).toBe(-32_603)
  })

  it('sends from the account and on the chain that the prompt showed, which its user has changed before the answer', async () => {
    const wallet = await connectNew()
    const { address } = wallet
    const { promise, resolve } = Promise.withResolvers<'confirm'>()
    wallet.answer(() => promise)
    const sending = sendTransfer(wallet, chain)
    await vi.waitUntil(() => wallet.prompts.length === 2, eventually)
    expect(wallet.prompts[1]).toMatchObject({ method: 'eth_sendTransaction', account: address, chainId })
    wallet.setAccount(generatePrivateKey())
    wallet.setChain(otherChainId)
    resolve('confirm')
    expect(await client.getTransaction({ hash: await sending })).toMatchObject({ from: address.toLowerCase() })
  })

  it('error: 4200 for a signature without sending, and for the methods of wallets that it lacks', async () => {
    const wallet = await connectNew()
    const methods = ['eth_signTransaction', 'eth_sign', 'personal_sign', 'wallet_sendCalls', 'wallet_getCapabilities']
    for (const method of methods) expect(await codeOf(wallet.request({ method })), method).toBe(4200)
  })

  it('error: 4100 for another account and -32602 for another chain, without a prompt', async () => {
    const wallet = await connectNew()
    expect(await codeOf(sendTransfer(wallet, chain, { from: recipient }))).toBe(4100)
    expect(await codeOf(sendTransfer(wallet, chain, { chainId: numberToHex(otherChainId) }))).toBe(-32_602)
    expect(await codeOf(sign(wallet, { ...typedData, domain: { chainId: otherChainId } }))).toBe(-32_602)
    expect(promptsOf(wallet)).toEqual(['eth_requestAccounts'])
  })

  it('passes other methods to the node of its chain, with its results and its errors', async () => {
    const wallet = await connectNew()
    expect(await wallet.request({ method: 'eth_getTransactionCount', params: [wallet.address, 'latest'] })).toBe('0x0')
    const refused = { code: expect.any(Number), message: expect.stringContaining('eth_noSuchMethod') }
    await expect(wallet.request({ method: 'eth_noSuchMethod' })).rejects.toMatchObject(refused)
    const reverted = sendTransfer(wallet, chain, { data: encodeTransfer(10n ** 18n) })
    await expect(reverted).rejects.toMatchObject({ code: expect.any(Number), data: expect.anything() })
  })

  it('error: 4901 when the node cannot be reached', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const wallet = createTestWallet({ account, chainId, rpcUrls: { [chainId]: 'http://127.0.0.1:1' } })
    expect(wallet.address).toBe(account.address)
    expect(await codeOf(wallet.request({ method: 'eth_blockNumber' }))).toBe(4901)
  })
})

describe('the events of a test wallet', () => {
  const record = (wallet: TestWallet) => {
    const events: unknown[] = []
    wallet.on('accountsChanged', (accounts) => events.push(accounts))
    wallet.on('chainChanged', (id) => events.push(id))
    return events
  }

  it('a switch of the chain is emitted once, also if its user makes it', async () => {
    const wallet = await connectNew()
    const events = record(wallet)
    expect(await switchChain(wallet)).toBe(null)
    expect(await switchChain(wallet)).toBe(null)
    expect(await wallet.request({ method: 'eth_chainId' })).toBe(numberToHex(otherChainId))
    expect(promptsOf(wallet)).toEqual(['eth_requestAccounts', 'wallet_switchEthereumChain'])
    wallet.setChain(chainId)
    expect(events).toEqual([numberToHex(otherChainId), numberToHex(chainId)])
  })

  it('error: 4902 for a chain without a node, without a prompt or an event', async () => {
    const wallet = await connectNew()
    const events = record(wallet)
    expect(await codeOf(switchChain(wallet, 1))).toBe(4902)
    expect(() => wallet.setChain(1)).toThrow(ProviderError)
    expect(promptsOf(wallet)).toEqual(['eth_requestAccounts'])
    expect(events).toEqual([])
  })

  it('a new connection, another account and the end of the connection are emitted', async () => {
    const wallet = await createFundedWallet(chains, { chainId })
    const events = record(wallet)
    const { address } = wallet
    await connect(wallet)
    const privateKey = generatePrivateKey()
    wallet.setAccount(privateKey)
    expect(wallet.address).toBe(privateKeyToAddress(privateKey))
    wallet.disconnect()
    expect(events).toEqual([[address], [wallet.address], []])
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
  })

  it('a page that gives up its permissions is disconnected, without a prompt, and asks again to connect', async () => {
    const wallet = await connectNew()
    const events = record(wallet)
    const method = 'wallet_revokePermissions'
    for (let time = 0; time < 2; time++) {
      expect(await wallet.request({ method, params: [{ eth_accounts: {} }] })).toBeNull()
    }
    expect(events).toEqual([[]])
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
    await connect(wallet)
    expect(promptsOf(wallet)).toEqual(['eth_requestAccounts', 'eth_requestAccounts'])
  })

  it('a removed listener is not called', async () => {
    const wallet = await connectNew()
    const listener = vi.fn<(id: Hex) => void>()
    wallet.on('chainChanged', listener)
    wallet.removeListener('chainChanged', listener)
    wallet.setChain(otherChainId)
    expect(listener).not.toHaveBeenCalled()
  })
})

describe('the connection of a test wallet', () => {
  it('a new wallet is connected: it shows its account, and sends and signs without a request to connect', async () => {
    const wallet = createTestWallet({ privateKey: generatePrivateKey(), chainId, rpcUrls: { [chainId]: chain.rpcUrl } })
    await fund(chain, wallet.address, { tUSD: '100' })
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([wallet.address])
    expect(await connect(wallet)).toEqual([wallet.address])
    const hash = await sendTransfer(wallet, chain)
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    await sign(wallet)
    expect(promptsOf(wallet)).toEqual(['eth_sendTransaction', 'eth_signTypedData_v4'])
  })

  it('a wallet that is not connected lists no account, and shows one prompt for two requests to connect', async () => {
    const wallet = await createFundedWallet(chains, { chainId })
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
    expect(await connect(wallet)).toEqual([wallet.address])
    expect(await connect(wallet)).toEqual([wallet.address])
    expect(promptsOf(wallet)).toEqual(['eth_requestAccounts'])
  })

  it('error: 4100 for a signature, a transaction or a batch of a wallet that is not connected, without a prompt', async () => {
    const wallet = await createFundedWallet(chains, { chainId, canBatch: true })
    expect(await codeOf(sign(wallet))).toBe(4100)
    expect(await codeOf(sendTransfer(wallet, chain))).toBe(4100)
    expect(await codeOf(sendTransfers(wallet, chain))).toBe(4100)
    expect(wallet.prompts).toEqual([])
  })
})

it('a wallet is announced to the page at once and whenever the page asks, until the announcement ends', () => {
  const page = new EventTarget()
  for (const method of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const) {
    vi.stubGlobal(method, page[method].bind(page))
  }
  // As in a page that came without TLS.
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  onTestFinished(() => void vi.unstubAllGlobals())
  const heard: unknown[] = []
  page.addEventListener('eip6963:announceProvider', (event) => heard.push((event as CustomEvent).detail))
  const provider = { request: async () => null }
  const stop = announceWallet(provider, { name: 'A wallet', rdns: 'com.example.wallet' })
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  stop()
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  expect(heard).toEqual([heard[0], heard[0]])
  const uuid = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  const info = { uuid, name: 'A wallet', rdns: 'com.example.wallet', icon: expect.stringMatching(/^data:image/) }
  expect(heard[0]).toEqual({ provider, info })
})
