import type { Hex } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { connectNode } from '../wallet/connectNode.ts'
import { createBatches } from './createBatches.ts'
import { createSender } from './createSender.ts'
import { createUser, type Decide, type Prompt } from './Prompt.ts'
import { errorCodes, ProviderError } from './ProviderError.ts'
import { createBatchMethods, createWalletMethods, type WalletMethods } from './walletMethods.ts'
import { WalletState, type Listen } from './WalletState.ts'

/**
 * Creates a wallet for tests: an EIP-1193 provider over real nodes, with a user whose decisions the test sets.
 *
 * The wallet is connected to the page, unless `isConnected` is false. It prompts for `eth_sendTransaction`,
 * `eth_signTypedData_v4`, `wallet_switchEthereumChain` and `wallet_sendCalls`, and for `eth_requestAccounts` while it is
 * not connected. The page disconnects it by `wallet_revokePermissions`, as wallet libraries do. It does not sign without sending (`eth_signTransaction`). Methods
 * that are not wallet methods are sent to the node of its chain. Errors have the codes of EIP-1193 and EIP-5792, or are
 * the errors of the node.
 *
 * @example
 * const wallet = createTestWallet({
 *   privateKey: testAccounts[1].privateKey,
 *   chainId: 84532,
 *   rpcUrls: { 84532: 'http://127.0.0.1:8545', 421614: 'http://127.0.0.1:8546' },
 * })
 * await agio.convert({ quote, wallet })
 * console.log(wallet.prompts.map(({ method }) => method))
 */
export function createTestWallet({ batchContract, ...options }: Options): TestWallet {
  const { rpcUrls, chainId, isConnected = true } = options
  const state = new WalletState({ rpcUrls, account: toAccount(options), chainId, isConnected })
  const request = (id: number) => connectNode(state.getRpcUrl(id))
  const user = createUser()
  const sender = createSender(request)
  const batches = batchContract && createBatches({ request, sender, batchContract })
  const methods: WalletMethods = {
    ...createWalletMethods({ state, user, sender }),
    ...(batches && createBatchMethods({ state, user, batches })),
  }
  // A plain object of functions: wallet libraries copy the functions of a provider.
  return {
    get address() {
      return state.account.address
    },
    get chainId() {
      return state.chainId
    },
    prompts: user.prompts,
    answer: user.answer,
    on: state.events.on,
    removeListener: state.events.removeListener,
    async request({ method, params }) {
      const list = Array.isArray(params) ? (params as readonly unknown[]) : []
      const walletMethod = methods[method]
      if (walletMethod) return await walletMethod(list)
      if (!walletMethodNames.test(method)) return await request(state.chainId)(method, list)
      throw new ProviderError(errorCodes.unsupportedMethod, `The method ${method} is not supported.`)
    },
    setAccount: (privateKey) => state.setAccount(privateKeyToAccount(privateKey)),
    setChain: (id) => state.setChain(id),
    disconnect: () => state.disconnect(),
    speedUp: sender.speedUp,
    cancel: sender.cancel,
  }
}

type Options = ({ readonly privateKey: Hex } | { readonly account: PrivateKeyAccount }) & {
  /** Id of the first chain. */
  readonly chainId: number
  /** URL of the node of each known chain, by chain id. */
  readonly rpcUrls: Readonly<Record<number, string>>
  /**
   * A contract with `execute((address target, bytes data)[] calls)` that the account itself may call. Accounts
   * delegate to it by EIP-7702. It enables EIP-5792 batches on the chains where it is deployed.
   */
  readonly batchContract?: Hex | undefined
  /** Whether the page is connected at first. An unconnected wallet needs `eth_requestAccounts`. Default: true. */
  readonly isConnected?: boolean | undefined
}

/** A wallet for tests, as an EIP-1193 provider. */
export type TestWallet = {
  /** The current account. */
  readonly address: Hex
  readonly chainId: number
  /** All prompts so far, oldest first. */
  readonly prompts: readonly Prompt[]
  /** Makes a request. @throws {ProviderError} */
  request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  readonly on: Listen
  readonly removeListener: Listen
  /** Sets how the user answers the following prompts. Default: `confirm`. */
  answer(decide: Decide): void
  /** Selects another account, as the user would. */
  setAccount(privateKey: Hex): void
  /** Selects another chain, as the user would. @throws {ProviderError} 4902 without a node for it */
  setChain(chainId: number): void
  /** Disconnects the wallet from the page, as the user would. */
  disconnect(): void
  /** Speeds up a pending transaction with higher fees, as the user would. Returns the new hash. */
  speedUp(hash: Hex): Promise<Hex>
  /**
   * Cancels a pending transaction with an empty transaction of the same nonce, as the user would. Returns the hash of
   * the empty transaction.
   */
  cancel(hash: Hex): Promise<Hex>
}

const walletMethodNames = /^(wallet_|personal_|eth_sign)/

function toAccount(options: { readonly privateKey?: Hex; readonly account?: PrivateKeyAccount }): PrivateKeyAccount {
  return options.account ?? privateKeyToAccount(options.privateKey as Hex)
}
