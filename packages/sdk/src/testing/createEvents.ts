/** The events of EIP-1193 that the test wallet emits, with what a listener gets. */
export type WalletEvents = {
  /** The connected accounts, the current one first; none after the wallet was disconnected. */
  accountsChanged: readonly `0x${string}`[]
  /** The chain of the wallet, in hexadecimal. */
  chainChanged: `0x${string}`
}

/** The listeners of a wallet. */
export function createEvents(): Events {
  const listeners = { accountsChanged: new Set<Listener>(), chainChanged: new Set<Listener>() }
  return {
    // Wallets take listeners of events that they never emit.
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
