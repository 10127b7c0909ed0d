import { Network, type Address } from '@agio/core'
import { createAgio, type Agio } from '@agio/sdk'
import type { LocalChain, LocalChains } from '../chain/LocalChain.ts'
import { createLocalWallet, type LocalWallet } from './createLocalWallet.ts'

/** How a running stack is reached, as plain data: a test runner can pass it to another process. */
export type StackConnection<Id extends Network.ChainId = Network.ChainId> = {
  readonly url: string
  /** An API key without limits. */
  readonly apiKey: string
  readonly adminKey: string
  readonly chains: Readonly<Record<Id, LocalChain>> & LocalChains
}

/** What tests use of a running stack, in its process or in another one. */
export type StackClient<Id extends Network.ChainId = Network.ChainId> = StackConnection<Id> & {
  /** A client of the SDK, with `apiKey` and `contracts`. */
  readonly client: Agio
  /** The contracts of the chains, as a client of the SDK pins them. */
  readonly contracts: Readonly<Record<Id, LocalChain['deployment']>>
  /** The URL of the node of each chain. Faults do not affect it. */
  readonly rpcUrls: Readonly<Record<Id, string>>
  /** The addresses of tokens, by chain and symbol: `tokens[84532].tAUD`. */
  readonly tokens: Readonly<Record<Id, LocalChain['tokens']>>
  /**
   * Creates a viem wallet client of a new account that holds tokens, and native currency for gas.
   *
   * @param holding amounts in whole tokens by symbol: `{ tAUD: '1000' }`
   */
  wallet(holding?: Readonly<Record<string, string>>, options?: StackClient.WalletOptions<Id>): Promise<LocalWallet>
  /**
   * Adds amounts in whole tokens by symbol to the balances of an account. An account with less than 1 ETH gets 1 ETH, unless
   * an amount of `ETH` is given.
   *
   * @throws `svc/invalid-address`, `svc/invalid-request`
   */
  fund(
    address: Address,
    amounts: Readonly<Record<string, string>>,
    options?: StackClient.WalletOptions<Id>,
  ): Promise<void>
}

export declare namespace StackClient {
  /** The options of a wallet. */
  type WalletOptions<Id extends Network.ChainId> = {
    /** Default: chain 84532, or the first chain of the stack. */
    readonly chainId?: Id | undefined
  }
}

/**
 * Creates what tests use of a running stack.
 *
 * @param addFunds adds amounts to the balances of an account
 */
export function createStackClient<Id extends Network.ChainId>(
  connection: StackConnection<Id>,
  addFunds: (fields: Readonly<Record<string, unknown>>) => Promise<unknown>,
): StackClient<Id> {
  const { url, apiKey, chains } = connection
  const ids = Object.values<LocalChain>(chains).map(({ chainId }) => chainId) as [Id, ...Id[]]
  const defaultId = ids.find((chainId) => chainId === Network.defaultChainId) ?? ids[0]
  const byChain = <Value>(toValue: (chain: LocalChain) => Value) =>
    Object.fromEntries(ids.map((chainId) => [chainId, toValue(chains[chainId])])) as Record<Id, Value>
  const contracts = byChain(({ deployment }) => deployment)
  const fund: StackClient<Id>['fund'] = async (address, amounts, { chainId = defaultId } = {}) => {
    await addFunds({ address, amounts, chainId })
  }
  return {
    ...connection,
    client: createAgio({ url, apiKey, contracts }),
    contracts,
    rpcUrls: byChain(({ rpcUrl }) => rpcUrl),
    tokens: byChain(({ tokens }) => tokens),
    fund,
    async wallet(holding = {}, { chainId = defaultId } = {}) {
      const wallet = createLocalWallet(chains[chainId])
      await fund(wallet.account.address, holding, { chainId })
      return wallet
    },
  }
}
