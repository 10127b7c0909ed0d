import type { Wallet } from '@agio/sdk'
import { useEffect, useState } from 'react'

/** The account and the network of a wallet, as far as the wallet has told them. */
export type WalletState = {
  readonly address?: `0x${string}` | undefined
  readonly chainId?: number | undefined
}

/**
 * Returns the selected account and network of a wallet, without a prompt. A viem or wagmi client names its account. An EIP-1193
 * provider is asked, and asked again after each of its events.
 *
 * @example
 * const { address, chainId } = useWalletState(window.ethereum)
 */
export function useWalletState(wallet: Wallet | undefined): WalletState {
  const [state, setState] = useState<WalletState & { readonly wallet?: Wallet }>(unknown)
  useEffect(() => {
    if (!wallet) return undefined
    let isOver = false
    const read = async () => {
      const found = await readWallet(wallet).catch(() => unknown)
      if (!isOver) setState({ ...found, wallet })
    }
    void read()
    const { on, removeListener } = wallet as Emitter
    for (const event of events) on?.call(wallet, event, read)
    return () => {
      isOver = true
      for (const event of events) removeListener?.call(wallet, event, read)
    }
  }, [wallet])
  if (!wallet) return unknown
  return state.wallet === wallet ? state : { address: findAccount(wallet) }
}

const unknown: WalletState = {}

const events = ['accountsChanged', 'chainChanged', 'connect', 'disconnect'] as const

type Emitter = {
  readonly on?: (event: string, listener: () => void) => void
  readonly removeListener?: (event: string, listener: () => void) => void
}

async function readWallet(wallet: Wallet): Promise<WalletState> {
  const request = (method: string) => wallet.request({ method })
  const [accounts, chainId] = await Promise.all([request('eth_accounts').catch(() => []), request('eth_chainId')])
  const [first] = accounts as readonly `0x${string}`[]
  return { address: findAccount(wallet) ?? first, chainId: Number(chainId) }
}

function findAccount(wallet: Wallet): `0x${string}` | undefined {
  return 'account' in wallet ? wallet.account?.address : undefined
}
