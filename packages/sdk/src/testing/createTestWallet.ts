import { isAddressEqual, numberToHex, type Hex } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { connectNode } from './connectNode.ts'
import { createBatches } from './createBatches.ts'
import { createEvents, type Listen } from './createEvents.ts'
import { createSender } from './createSender.ts'
import { createUser, type Decide, type Prompt } from './Prompt.ts'
import { errorCodes, ProviderError } from './ProviderError.ts'
import { readBatch, readChainId, readTransaction, readTypedData } from './readParams.ts'

/**
 * Creates a wallet for tests: an EIP-1193 provider over real nodes, with a user whose decisions the test sets.
 *
 * The wallet prompts for `eth_requestAccounts` until it is connected, and for `eth_sendTransaction`,
 * `eth_signTypedData_v4`, `wallet_switchEthereumChain` and `wallet_sendCalls`. The page disconnects it by
 * `wallet_revokePermissions`, as wallet libraries do. It does not sign without sending (`eth_signTransaction`). Methods
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
export function createTestWallet({ rpcUrls, batchContract, ...options }: createTestWallet.Options): TestWallet {
  const request = (chainId: number) => connectNode(getRpcUrl(rpcUrls, chainId))
  const user = createUser()
  const events = createEvents()
  const sender = createSender(request)
  const batches = batchContract && createBatches({ request, sender, batchContract })
  let account = toAccount(options)
  let { chainId } = options
  let isConnected = false

  const listAccounts = () => (isConnected ? [account.address] : [])
  const prompt = (method: Prompt['method'], params: readonly unknown[]) =>
    user.confirm({ method, params, account: account.address, chainId })

  function assertConnected(address: Hex | undefined): void {
    if (isConnected && (address === undefined || isAddressEqual(address, account.address))) return
    throw new ProviderError(errorCodes.unauthorized, `The account ${address ?? ''} is not connected.`)
  }

  function setChain(next: number): void {
    getRpcUrl(rpcUrls, next)
    if (next === chainId) return
    chainId = next
    events.emit('chainChanged', numberToHex(chainId))
  }

  function disconnect(): void {
    isConnected = false
    events.emit('accountsChanged', [])
  }

  const methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_accounts: listAccounts,
    eth_chainId: () => numberToHex(chainId),
    net_version: () => `${chainId}`,

    async eth_requestAccounts(params) {
      if (isConnected) return listAccounts()
      await prompt('eth_requestAccounts', params)
      isConnected = true
      events.emit('accountsChanged', listAccounts())
      return listAccounts()
    },

    wallet_revokePermissions() {
      if (isConnected) disconnect()
      return null
    },

    async wallet_switchEthereumChain(params) {
      const next = readChainId(params)
      getRpcUrl(rpcUrls, next)
      if (next !== chainId) await prompt('wallet_switchEthereumChain', params)
      setChain(next)
      return null
    },

    async eth_signTypedData_v4(params) {
      const { address, typedData } = readTypedData(params, chainId)
      assertConnected(address)
      const signer = account
      await prompt('eth_signTypedData_v4', params)
      return await signer.signTypedData(typedData)
    },

    async eth_sendTransaction(params) {
      const { from, ...transaction } = readTransaction(params, chainId)
      assertConnected(from)
      const signer = account
      await prompt('eth_sendTransaction', params)
      return await sender.send(signer, transaction)
    },

    ...(batches && {
      wallet_getCapabilities: ([address, ids]) => {
        assertConnected(address as Hex)
        const asked = (ids as Hex[] | undefined)?.map(Number)
        const known = Object.keys(rpcUrls).map(Number)
        return batches.getCapabilities(address as Hex, asked?.filter((id) => known.includes(id)) ?? known)
      },
      async wallet_sendCalls(params) {
        const { from, ...batch } = readBatch(params, chainId)
        assertConnected(from)
        if (batches.isKnown(batch.id)) throw new ProviderError(errorCodes.duplicateBatch, 'Duplicate bundle id.')
        const signer = account
        await prompt('wallet_sendCalls', params)
        await batches.send(signer, batch)
        return { id: batch.id }
      },
      wallet_getCallsStatus: ([id]) => batches.getStatus(String(id)),
    }),
  }

  return {
    get address() {
      return account.address
    },
    get chainId() {
      return chainId
    },
    prompts: user.prompts,
    answer: user.answer,
    on: events.on,
    removeListener: events.removeListener,
    async request({ method, params }) {
      const list = Array.isArray(params) ? (params as readonly unknown[]) : []
      const own = methods[method]
      if (own) return await own(list)
      if (!ofWallets.test(method)) return await request(chainId)(method, list)
      throw new ProviderError(errorCodes.unsupportedMethod, `The method ${method} is not supported.`)
    },
    setAccount(privateKey) {
      account = privateKeyToAccount(privateKey)
      if (isConnected) events.emit('accountsChanged', listAccounts())
    },
    setChain,
    disconnect,
    speedUp: sender.speedUp,
    cancel: sender.cancel,
  }
}

export declare namespace createTestWallet {
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
  }
}

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

const ofWallets = /^(wallet_|personal_|eth_sign)/

function toAccount(options: { readonly privateKey?: Hex; readonly account?: PrivateKeyAccount }): PrivateKeyAccount {
  return options.account ?? privateKeyToAccount(options.privateKey as Hex)
}

function getRpcUrl(rpcUrls: Readonly<Record<number, string>>, chainId: number): string {
  const url = rpcUrls[chainId]
  if (url !== undefined) return url
  throw new ProviderError(errorCodes.unknownChain, `Unrecognized chain ID ${numberToHex(chainId)}.`)
}
