/** The EIP-1193 events of the test wallet, with the argument of their listeners. */
export type WalletEvents = {
  /** The connected accounts, the current account first. Empty after the wallet was disconnected. */
  accountsChanged: readonly `0x${string}`[]
  /** The chain id of the wallet, hex. */
  chainChanged: `0x${string}`
}

/** Creates the event listeners of a wallet. */
export function createEvents(): Events {
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

export type Events = {
  on: Listen
  removeListener: Listen
  emit<Name extends keyof WalletEvents>(event: Name, payload: WalletEvents[Name]): void
}

export type Listen = <Name extends keyof WalletEvents>(
  event: Name,
  listener: (payload: WalletEvents[Name]) => void,
) => void
