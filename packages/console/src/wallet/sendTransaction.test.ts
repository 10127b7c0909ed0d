import { numberToHex } from 'viem'
import { expect, it, vi } from 'vitest'
import { sendTransaction, type BuiltTransaction } from './sendTransaction.ts'
import type { ConnectedWallet } from './useWallet.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const hash = `0x${'ab'.repeat(32)}` as const
const [chainId, otherChainId] = [1, 2]
const built: BuiltTransaction = { chainId, to: address, data: '0xd1058e59', gas: 230_000n }
const refusal = Object.assign(new Error('User rejected the request.'), { code: 4001 })
const unknownChain = Object.assign(new Error('Unrecognized chain ID.'), { code: 4902 })

it('the wallet is asked to send what was built, and the transaction is waited for', async () => {
  const { wallet, requests } = createWallet()
  const onSent = vi.fn<(sent: string) => void>()
  await sendTransaction(wallet, built, onSent)
  const gas = numberToHex(230_000)
  expect(requests[0]).toEqual({
    method: 'eth_sendTransaction',
    params: [{ from: address, to: address, data: '0xd1058e59', value: '0x0', gas, chainId: numberToHex(chainId) }],
  })
  expect(onSent.mock.calls).toEqual([[hash]])
  expect(requests.map(({ method }) => method)).toContain('eth_getTransactionReceipt')
})

it('a wallet on another network switches first', async () => {
  const { wallet, requests } = createWallet({ chainId: otherChainId })
  await sendTransaction(wallet, built, () => {})
  expect(requests.slice(0, 2).map(({ method }) => method)).toEqual([
    'wallet_switchEthereumChain',
    'eth_sendTransaction',
  ])
})

it.each([
  ['the user refuses to send', { eth_sendTransaction: refusal }, 'wallet/rejected'],
  ['the wallet fails', { eth_sendTransaction: new Error('Locked') }, 'wallet/failed'],
  ['the user refuses to switch', { wallet_switchEthereumChain: refusal }, 'wallet/rejected'],
  ['the wallet does not know the network', { wallet_switchEthereumChain: unknownChain }, 'wallet/wrong-chain'],
  ['the transaction reverts', { eth_getTransactionReceipt: toReceipt('0x0') }, 'svc/reverted'],
])('error if %s', async (_, answers, code) => {
  const { wallet } = createWallet({ chainId: otherChainId, answers })
  await expect(sendTransaction(wallet, built, () => {})).rejects.toMatchObject({ name: 'AgioError', code })
})

type Request = { readonly method: string; readonly params?: unknown }

/** Creates a wallet with the given answers. By default it sends the transaction, which is mined at once. */
function createWallet({ answers = {}, ...of }: WalletOptions = {}) {
  const requests: Request[] = []
  const responses: Readonly<Record<string, unknown>> = {
    eth_sendTransaction: hash,
    eth_blockNumber: '0x10',
    eth_getTransactionReceipt: toReceipt('0x1'),
    wallet_switchEthereumChain: null,
    ...answers,
  }
  const request = async (asked: Request) => {
    requests.push(asked)
    const response = responses[asked.method]
    return response instanceof Error ? await Promise.reject(response) : response
  }
  const wallet: ConnectedWallet = { id: 'test', address, chainId, name: 'Test', icon: undefined, request, ...of }
  return { wallet, requests }
}

type WalletOptions = { readonly chainId?: number; readonly answers?: Readonly<Record<string, unknown>> }

function toReceipt(status: '0x0' | '0x1') {
  return { transactionHash: hash, blockNumber: '0x10', status, logs: [], from: address, to: address, type: '0x2' }
}
