import { numberToHex, type Hex } from 'viem'
import type { Batches } from './createBatches.ts'
import type { Sender } from './createSender.ts'
import { parseBatch, parseChainId, parseTransaction, parseTypedData } from './parseParams.ts'
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
