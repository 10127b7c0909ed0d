import type { LocalChain } from '@agio/localnet'
import { tokenAbi } from '@agio/chain/abi'
import { Network, type Address } from '@agio/core'
import { createWalletClient, encodeFunctionData, erc20Abi, http, keccak256, parseEther, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import type { Wallet } from '../../../packages/sdk/src/index.ts'
import { createTestWallet, type TestWallet } from '../../../packages/sdk/src/testing.ts'
import { connectOwner } from '../../harness/connectOwner.ts'
import { executeBy } from '../../harness/swaps.ts'
import { waitForSuccess, writeContract } from '../../harness/writeContract.ts'

/** What an account has signed. */
type Signed = {
  /** Typed data, as it was signed. */
  readonly typedData: SignedTypedData[]
  /** The hashes of transactions. */
  readonly hashes: Hex[]
}

export type SignedTypedData = {
  readonly domain: Readonly<Record<string, unknown>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/** An account that an attacker wants to rob, with its wallet. */
export type Victim = {
  readonly wallet: Wallet
  /** The account that pays the tokens. */
  readonly address: Address
  /** The account that signs and pays the gas. */
  readonly signer: Address
  readonly signed: Signed
  /** Returns how often the wallet has prompted. A local account counts its signatures. */
  countPrompts(): number
  /** The wallet as its user sees it. Undefined for a local account. */
  readonly user?: TestWallet
}

/** The kinds of wallets: a viem client with a local key, an EIP-1193 wallet that confirms everything, one that sends batches, and one of a smart account. */
export const walletKinds = ['local', 'confirming', 'batching', 'smart'] as const

export type WalletKind = (typeof walletKinds)[number]

// A transaction may use 16.7 million gas. A transfer to a new holder uses 52,000.
const accountsAtOnce = 80

/** How much of each token a victim holds, in raw units. It is more than any conversion needs. */
const holdingRaw = 10n ** 12n

/** Creates the source of victims on a chain. It funds many accounts with one transaction. */
export async function createVictims(chains: Chains, chainId: Network.ChainId): Promise<Victims> {
  const chain = chains[chainId]
  const owner = connectOwner(chain)
  const { client } = owner
  const bank = await owner.deploy('testing/OwnedAccount', [owner.address])
  const batchContract = await owner.deploy('testing/LaxDelegate', [])
  for (const address of Object.values(chain.tokens)) {
    await writeContract(client, { address, abi: tokenAbi, functionName: 'mint', args: [bank, 10n ** 24n] })
  }
  const idle: PrivateKeyAccount[] = []
  let filling: Promise<void> | undefined

  async function fill(): Promise<void> {
    const accounts = Array.from({ length: accountsAtOnce }, () => privateKeyToAccount(generatePrivateKey()))
    for (const token of Object.values(chain.tokens))
      await pay(
        token,
        accounts.map(({ address }) => address),
      )
    await Promise.all(accounts.map(({ address }) => client.setBalance({ address, value: parseEther('10') })))
    idle.push(...accounts)
  }

  async function pay(token: Address, accounts: readonly Address[]): Promise<void> {
    const calls = accounts.map((account) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [account, holdingRaw] })
      return { target: token, data }
    })
    const { target, data } = executeBy(bank, calls)
    await waitForSuccess(client, await client.sendTransaction({ to: target, data, gas: 10_000_000n, chain: null }))
  }

  async function take(): Promise<PrivateKeyAccount> {
    for (;;) {
      const account = idle.pop()
      if (account) return account
      filling ??= fill().finally(() => (filling = undefined))
      await filling
    }
  }

  async function create(kind: WalletKind): Promise<Victim> {
    const { account, signed } = record(await take())
    if (kind === 'local') {
      const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) })
      const countPrompts = () => signed.hashes.length + signed.typedData.length
      return { wallet, address: account.address, signer: account.address, signed, countPrompts }
    }
    const wallet = createTestWallet({
      account,
      chainId,
      rpcUrls: Network.map((id) => chains[id].rpcUrl),
      ...(kind === 'batching' && { batchContract }),
    })
    const common = { signer: account.address, signed, user: wallet, countPrompts: () => wallet.prompts.length }
    if (kind !== 'smart') return { ...common, wallet, address: account.address }
    const address = await owner.deploy('testing/OwnedAccount', [account.address])
    for (const token of Object.values(chain.tokens)) await pay(token, [address])
    return { ...common, wallet: createSmartWallet(wallet, address), address }
  }

  return { create, createAddress: async () => (await take()).address, batchContract }
}

export type Chains = Readonly<Record<Network.ChainId, LocalChain>>

export type Victims = {
  /** Creates a victim with a new account, which holds native currency and all tokens. */
  create(kind: WalletKind): Promise<Victim>
  /** Returns the address of a new account. */
  createAddress(): Promise<Address>
  /** The contract that accounts delegate to for batches. */
  readonly batchContract: Address
}

/** Records what an account signs. */
function record(account: PrivateKeyAccount) {
  const signed: Signed = { typedData: [], hashes: [] }
  const recording: PrivateKeyAccount = {
    ...account,
    async signTransaction(transaction, options) {
      const serialized = await account.signTransaction(transaction, options)
      signed.hashes.push(keccak256(serialized))
      return serialized
    },
    async signTypedData(typedData) {
      signed.typedData.push(typedData as unknown as SignedTypedData)
      return await account.signTypedData(typedData)
    },
  }
  return { account: recording, signed }
}

/** Creates the wallet of a smart account, whose owner sends its transactions. */
function createSmartWallet(owner: TestWallet, address: Address): Wallet {
  return {
    async request({ method, params }) {
      if (method === 'eth_accounts') return [address]
      if (method !== 'eth_sendTransaction') return await owner.request({ method, params })
      const [{ to, data }] = params as [{ to: Address; data: Hex }]
      const { target, data: execution } = executeBy(address, [{ target: to, data }])
      const transaction = { from: owner.address, to: target, data: execution }
      return await owner.request({ method, params: [transaction] })
    },
  }
}
