import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { JsonRpcProvider, Wallet as EthersWallet, type TransactionLike } from 'ethers'
import { createPublicClient, getAddress, http, parseEther, parseUnits, type Hex, type TypedDataDefinition } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { onTestFinished } from 'vitest'
import { connectOwner } from './connectOwner.ts'
import { writeContract } from './writeContract.ts'
import { toNumbers, type Mined, type Sendable, type TypedData, type Wallet } from './Wallet.ts'

/** The libraries that wallets are built with. */
const libraries = { ethers: createEthersWallet, viem: createViemWallet } as const

export type Library = keyof typeof libraries

/**
 * A new wallet with native currency and tokens, and without any allowance.
 *
 * @param holding amounts in whole tokens, by symbol
 */
export async function createHolder(
  chain: LocalChain,
  holding: Readonly<Record<string, string>>,
  library: Library = 'viem',
): Promise<Wallet> {
  const wallet = libraries[library](chain)
  await fund(chain, wallet.address, holding)
  return wallet
}

/** Gives an account native currency and tokens, in whole tokens by symbol. */
export async function fund(
  chain: Pick<LocalChain, 'rpcUrl' | 'tokens'>,
  account: Address,
  holding: Readonly<Record<string, string>>,
): Promise<void> {
  const { client } = connectOwner(chain)
  await client.setBalance({ address: account, value: parseEther('10') })
  for (const [symbol, amount] of Object.entries(holding)) {
    const address = chain.tokens[symbol] as Address
    const args = [account, parseUnits(amount, 6)] as const
    await writeContract(client, { address, abi: tokenAbi, functionName: 'mint', args })
  }
}

/** A new wallet that is built with viem, without native currency. */
export function createViemWallet({ rpcUrl, chainId }: Pick<LocalChain, 'rpcUrl' | 'chainId'>): Wallet {
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 20 })
  const account = privateKeyToAccount(generatePrivateKey())
  const { address } = account
  const countSent = () => client.getTransactionCount({ address, blockTag: 'pending' })
  const prepare = async (sendable: Sendable) => {
    const { to, data } = sendable
    return { chainId, nonce: await countSent(), to, data, ...toNumbers(sendable) }
  }

  async function submit(serializedTransaction: Hex): Promise<Mined> {
    const hash = await client.sendRawTransaction({ serializedTransaction })
    const { status, gasUsed } = await client.waitForTransactionReceipt({ hash })
    return { hash, status, gasUsed }
  }

  const sign = async (sendable: Sendable) =>
    await account.signTransaction({ type: 'eip1559', ...(await prepare(sendable)) })

  return {
    address,
    countSent,
    sign,
    signTypedData: (typedData) => account.signTypedData(typedData as unknown as TypedDataDefinition),
    send: async (sendable) => await submit(await sign(sendable)),
    async delegate(contractAddress) {
      const prepared = await prepare({ to: '0x000000000000000000000000000000000000dEaD', data: '0x' })
      // The transaction itself takes the nonce before the authorization's nonce.
      const authorization = { contractAddress, chainId, nonce: prepared.nonce + 1 }
      const authorizationList = [await account.signAuthorization(authorization)]
      return await submit(await account.signTransaction({ type: 'eip7702', ...prepared, authorizationList }))
    },
  }
}

/** A new wallet that is built with ethers, without native currency. It works until the test ends. */
function createEthersWallet({ rpcUrl, chainId }: Pick<LocalChain, 'rpcUrl' | 'chainId'>): Wallet {
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
