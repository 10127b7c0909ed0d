import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, erc20Abi, numberToHex, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { ProviderError, TestWallet } from '../../packages/sdk/src/testing.ts'

/** Used only by this worker: other workers transfer to their own recipient at the same time. */
export const recipient = privateKeyToAddress(generatePrivateKey())

/** Connects a page to a wallet. */
export const connect = (wallet: TestWallet) => wallet.request({ method: 'eth_requestAccounts' })

/** Encodes a transfer to the recipient. */
export const encodeTransfer = (amountRaw: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, amountRaw] })

/** Sends a transfer of one raw tUSD, with other fields. Returns its hash. */
export const sendTransfer = (wallet: TestWallet, { tokens }: LocalChain, fields: object = {}) =>
  wallet.request({
    method: 'eth_sendTransaction',
    params: [{ from: wallet.address, to: tokens.tUSD, data: encodeTransfer(1n), ...fields }],
  }) as Promise<Hex>

/** Sends a batch of two transfers, of 3 raw tUSD together, with other fields. */
export const sendTransfers = (wallet: TestWallet, { chainId, tokens }: LocalChain, fields: object = {}) => {
  const calls = [1n, 2n].map((amountRaw) => ({ to: tokens.tUSD, data: encodeTransfer(amountRaw), value: '0x0' }))
  const batch = { version: '2.0.0', chainId: numberToHex(chainId), atomicRequired: true, calls, ...fields }
  return wallet.request({ method: 'wallet_sendCalls', params: [batch] }) as Promise<{ id: string }>
}

/** The methods of all prompts of a wallet so far. */
export const promptsOf = ({ prompts }: TestWallet) => prompts.map(({ method }) => method)

/** The code of the error that a request fails with. */
export const codeOf = async (request: Promise<unknown>) =>
  await request.then(
    () => 'no error',
    (error: unknown) => (error as ProviderError).code,
  )
