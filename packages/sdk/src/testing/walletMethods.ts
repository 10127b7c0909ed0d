import { numberToHex, type Hex, hexToBigInt, type TypedDataDefinition } from 'viem'
import type { Batches, BatchCall, BatchRequest } from './createBatches.ts'
import type { Sender, Transaction } from './createSender.ts'
import type { Prompt, User } from './Prompt.ts'
import { errorCodes, ProviderError } from './ProviderError.ts'
import type { WalletState } from './WalletState.ts'

/** The methods of a wallet by their JSON-RPC name. All other methods are sent to the node. */
export type WalletMethods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>

/** Creates the methods of EIP-1193: accounts, chains, signatures and transactions. */
export function createWalletMethods({ state, user, sender }: createWalletMethods.Dependencies): WalletMethods {
  const prompt = createPrompt(state, user)
  return {
    eth_accounts: () => state.listAccounts(),
    eth_chainId: () => numberToHex(state.chainId),
    net_version: () => `${state.chainId}`,

    async eth_requestAccounts(params) {
      if (state.isConnected) return state.listAccounts()
      await prompt('eth_requestAccounts', params)
      state.connect()
      return state.listAccounts()
    },

    wallet_revokePermissions() {
      if (state.isConnected) state.disconnect()
      return null
    },

    async wallet_switchEthereumChain(params) {
      const chainId = parseChainId(params)
      state.getRpcUrl(chainId)
      if (chainId !== state.chainId) await prompt('wallet_switchEthereumChain', params)
      state.setChain(chainId)
      return null
    },

    async eth_signTypedData_v4(params) {
      const { address, typedData } = parseTypedData(params, state.chainId)
      state.assertConnected(address)
      const signer = state.account
      await prompt('eth_signTypedData_v4', params)
      return await signer.signTypedData(typedData)
    },

    async eth_sendTransaction(params) {
      const { from, ...transaction } = parseTransaction(params, state.chainId)
      state.assertConnected(from)
      const signer = state.account
      await prompt('eth_sendTransaction', params)
      return await sender.send(signer, transaction)
    },
  }
}

export declare namespace createWalletMethods {
  type Dependencies = {
    readonly state: WalletState
    readonly user: User
    readonly sender: Sender
  }
}

/** Creates the methods of EIP-5792 for batches of calls. */
export function createBatchMethods({ state, user, batches }: createBatchMethods.Dependencies): WalletMethods {
  const prompt = createPrompt(state, user)
  return {
    wallet_getCapabilities([address, requestedIds]) {
      state.assertConnected(address as Hex)
      const chainIds = Object.keys(state.rpcUrls).map(Number)
      const requested = (requestedIds as Hex[] | undefined)?.map(Number)
      return batches.readCapabilities(address as Hex, requested?.filter((id) => chainIds.includes(id)) ?? chainIds)
    },

    async wallet_sendCalls(params) {
      const { from, ...batch } = parseBatch(params, state.chainId)
      state.assertConnected(from)
      if (batches.has(batch.id)) throw new ProviderError(errorCodes.duplicateBatch, 'Duplicate bundle id.')
      const signer = state.account
      await prompt('wallet_sendCalls', params)
      await batches.send(signer, batch)
      return { id: batch.id }
    },

    wallet_getCallsStatus: ([id]) => batches.readStatus(String(id)),
  }
}

export declare namespace createBatchMethods {
  type Dependencies = {
    readonly state: WalletState
    readonly user: User
    readonly batches: Batches
  }
}

/** Returns a function that prompts the user with the current account and chain. */
function createPrompt(state: WalletState, user: User) {
  return async (method: Prompt['method'], params: readonly unknown[]): Promise<void> => {
    await user.confirm({ method, params, account: state.account.address, chainId: state.chainId })
  }
}

/** Parses the parameters of `wallet_switchEthereumChain`. */
function parseChainId([parameter]: readonly unknown[]): number {
  return Number((parameter as { readonly chainId: Hex }).chainId)
}

/** Parses the parameters of `eth_signTypedData_v4`: typed data as an object, or as JSON. */
function parseTypedData([address, given]: readonly unknown[], chainId: number) {
  const typedData = (typeof given === 'string' ? JSON.parse(given) : given) as TypedDataDefinition
  const { chainId: domainChainId } = typedData.domain ?? {}
  if (domainChainId !== undefined) assertChain(Number(domainChainId), chainId)
  return { address: address as Hex, typedData }
}

/** Parses the parameters of `eth_sendTransaction`. */
function parseTransaction([parameter]: readonly unknown[], chainId: number): Transaction & { readonly from: Hex } {
  const { from, to, data, input, ...fields } = parameter as TransactionParameters
  if (fields.chainId !== undefined) assertChain(Number(fields.chainId), chainId)
  return {
    chainId,
    from,
    to,
    data: data ?? input ?? '0x',
    value: toBigInt(fields.value) ?? 0n,
    gas: toBigInt(fields.gas),
    maxFeePerGas: toBigInt(fields.maxFeePerGas),
    maxPriorityFeePerGas: toBigInt(fields.maxPriorityFeePerGas),
    nonce: fields.nonce === undefined ? undefined : Number(fields.nonce),
  }
}

/** Parses the parameters of `wallet_sendCalls`, of version 2.0.0. Calls carry no native currency. */
function parseBatch([parameter]: readonly unknown[], chainId: number): BatchRequest & { readonly from?: Hex } {
  const { version, id = crypto.randomUUID(), calls, ...fields } = parameter as BatchParameters
  if (version !== '2.0.0') throw new ProviderError(errorCodes.invalidParams, `The version ${version} is not supported.`)
  if (Number(fields.chainId) !== chainId) {
    throw new ProviderError(errorCodes.unsupportedBatchChain, 'The batch is not for the chain of the wallet.')
  }
  if (calls.some(({ to, value = '0x0' }) => !to || hexToBigInt(value) > 0n)) {
    throw new ProviderError(errorCodes.invalidParams, 'A call deploys a contract or carries native currency.')
  }
  const toCall = ({ to, data = '0x' }: BatchParameters['calls'][number]): BatchCall => ({ to, data })
  return { id, chainId, calls: calls.map(toCall), ...(fields.from && { from: fields.from }) }
}

type TransactionParameters = {
  readonly from: Hex
  readonly to?: Hex
  readonly data?: Hex
  readonly input?: Hex
  readonly value?: Hex
  readonly gas?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly nonce?: Hex
  readonly chainId?: Hex
}

type BatchParameters = {
  readonly version: string
  readonly id?: string
  readonly chainId: Hex
  readonly from?: Hex
  readonly calls: readonly { readonly to: Hex; readonly data?: Hex; readonly value?: Hex }[]
}

function assertChain(given: number, chainId: number): void {
  if (given === chainId) return
  throw new ProviderError(errorCodes.invalidParams, `The request is for chain ${given}, the wallet is on ${chainId}.`)
}

function toBigInt(quantity: Hex | undefined): bigint | undefined {
  return quantity === undefined ? undefined : hexToBigInt(quantity)
}
