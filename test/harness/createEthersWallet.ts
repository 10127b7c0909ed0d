import type { LocalChain } from '@agio/localnet'
import { JsonRpcProvider, Wallet as EthersWallet, type TransactionLike } from 'ethers'
import { getAddress, type Hex } from 'viem'
import { onTestFinished } from 'vitest'
import { toNumbers, type Mined, type Sendable, type TypedData, type Wallet } from './Wallet.ts'

/** A new wallet that is built with ethers, without native currency. It works until the test ends. */
export function createEthersWallet({ rpcUrl, chainId }: Pick<LocalChain, 'rpcUrl' | 'chainId'>): Wallet {
  // Without a cache: it would return the nonce of a transaction that was just sent.
  const options = { staticNetwork: true, polling: true, cacheTimeout: -1 }
  const provider = new JsonRpcProvider(rpcUrl, chainId, options)
  provider.pollingInterval = 20
  onTestFinished(() => provider.destroy())
  const wallet = new EthersWallet(EthersWallet.createRandom().privateKey, provider)
  const countSent = () => provider.getTransactionCount(wallet.address, 'pending')

  async function sign(sendable: Sendable, change: TransactionLike = {}): Promise<Hex> {
    const { gas: gasLimit, ...numbers } = toNumbers(sendable)
    const { to, data } = sendable
    const common = { type: 2, chainId, nonce: await countSent(), to, data, gasLimit }
    return (await wallet.signTransaction({ ...common, ...numbers, ...change })) as Hex
  }

  async function submit(signed: Hex): Promise<Mined> {
    const { hash } = await provider.broadcastTransaction(signed)
    const receipt = await provider.waitForTransaction(hash)
    if (!receipt) throw new Error(`Cannot find transaction ${hash}: it is not mined`)
    return { hash: hash as Hex, status: receipt.status === 1 ? 'success' : 'reverted', gasUsed: receipt.gasUsed }
  }

  return {
    address: getAddress(wallet.address),
    countSent,
    sign: (sendable) => sign(sendable),
    // Ethers derives the type of the domain from its fields.
    async signTypedData({ domain, types: { EIP712Domain: _, ...types }, message }: TypedData) {
      return (await wallet.signTypedData(domain, mutable(types), message)) as Hex
    },
    send: async (sendable) => await submit(await sign(sendable)),
    async delegate(contract) {
      // The transaction itself takes the nonce before the authorization's nonce.
      const nonce = (await countSent()) + 1
      const authorization = await wallet.authorize({ address: contract, nonce, chainId })
      const [to, data] = ['0x000000000000000000000000000000000000dEaD', '0x'] as const
      return await submit(await sign({ to, data }, { type: 4, authorizationList: [authorization] }))
    },
  }
}

function mutable(types: Omit<TypedData['types'], 'EIP712Domain'>) {
  return Object.fromEntries(Object.entries(types).map(([name, fields]) => [name, [...fields]]))
}
