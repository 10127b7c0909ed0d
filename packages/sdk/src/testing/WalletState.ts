import { isAddressEqual, numberToHex, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { errorCodes, ProviderError } from './ProviderError.ts'

/** The account, the chain and the connection of a test wallet. Emits the events of EIP-1193 when they change. */
export class WalletState {
  readonly events = createEvents()
  readonly rpcUrls: RpcUrls
  #account: PrivateKeyAccount
  #chainId: number
  #isConnected: boolean

  constructor({ rpcUrls, account, chainId, isConnected }: Options) {
    this.rpcUrls = rpcUrls
    this.#account = account
    this.#chainId = chainId
    this.#isConnected = isConnected
  }

  get account(): PrivateKeyAccount {
    return this.#account
  }

  get chainId(): number {
    return this.#chainId
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  /** Returns the accounts that the page may see: the current account, or none while it is disconnected. */
  listAccounts(): readonly Hex[] {
    return this.#isConnected ? [this.#account.address] : []
  }

  /** Returns the URL of the node of a chain. @throws {ProviderError} 4902 for an unknown chain */
  getRpcUrl(chainId: number): string {
    const url = this.rpcUrls[chainId]
    if (url !== undefined) return url
    throw new ProviderError(errorCodes.unknownChain, `Unrecognized chain ID ${numberToHex(chainId)}.`)
  }

  /** Asserts that the page may use an account. @throws {ProviderError} 4100 */
  assertConnected(address: Hex | undefined): void {
    if (this.#isConnected && (address === undefined || isAddressEqual(address, this.#account.address))) return
    throw new ProviderError(errorCodes.unauthorized, `The account ${address ?? ''} is not connected.`)
  }

  connect(): void {
    this.#isConnected = true
    this.events.emit('accountsChanged', this.listAccounts())
  }

  disconnect(): void {
    this.#isConnected = false
    this.events.emit('accountsChanged', [])
  }

  setAccount(account: PrivateKeyAccount): void {
    this.#account = account
    if (this.#isConnected) this.events.emit('accountsChanged', this.listAccounts())
  }

  /** Selects a chain. @throws {ProviderError} 4902 for an unknown chain */
  setChain(chainId: number): void {
    this.getRpcUrl(chainId)
    if (chainId === this.#chainId) return
    this.#chainId = chainId
    this.events.emit('chainChanged', numberToHex(chainId))
  }
}

/** The URL of the node of each chain, by chain id. */
type RpcUrls = Readonly<Record<number, string>>
type Options = {
  readonly rpcUrls: RpcUrls
  readonly account: PrivateKeyAccount
  /** Id of the first chain. */
  readonly chainId: number
  /** Whether the page is connected at first. */
  readonly isConnected: boolean
}

/** The EIP-1193 events of the test wallet, with the argument of their listeners. */
export type WalletEvents = {
  /** The connected accounts, the current account first. Empty after the wallet was disconnected. */
  accountsChanged: readonly `0x${string}`[]
  /** The chain id of the wallet, hex. */
  chainChanged: `0x${string}`
}

/** Creates the event listeners of a wallet. */
function createEvents(): Events {
  const listeners = { accountsChanged: new Set<Listener>(), chainChanged: new Set<Listener>() }
  return {
    // Like other wallets, accepts listeners for unknown events.
    on: (event, listener) => void listeners[event]?.add(listener as Listener),
    removeListener: (event, listener) => void listeners[event]?.delete(listener as Listener),
    emit(event, payload) {
      for (const listener of listeners[event]) listener(payload)
    },
  }
}

type Listener = (payload: unknown) => void

type Events = {
  on: Listen
  removeListener: Listen
  emit<Name extends keyof WalletEvents>(event: Name, payload: WalletEvents[Name]): void
}

/** Adds or removes a listener of an event. */
export type Listen = <Name extends keyof WalletEvents>(
  event: Name,
  listener: (payload: WalletEvents[Name]) => void,
) => void
