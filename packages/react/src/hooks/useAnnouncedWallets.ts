import type { Eip1193Provider } from '@agio/sdk'
import { useEffect, useState } from 'react'

/** A wallet of the browser. */
export type AnnouncedWallet = {
  readonly id: string
  readonly name: string
  readonly provider: Eip1193Provider
}

/**
 * Returns the wallets that the browser announces (EIP-6963), and the provider of the connected one. A wallet that was connected
 * to the page before is connected again without a prompt.
 *
 * @param isOff whether nothing is looked for, because the page passes its own wallet
 */
export function useAnnouncedWallets(isOff: boolean) {
  const [wallets, setWallets] = useState<readonly AnnouncedWallet[]>([])
  const [connected, setConnected] = useState<Eip1193Provider>()
  useEffect(() => {
    if (isOff) return undefined
    const onAnnounce = (event: Event) => {
      const { info, provider } = (event as Announcement).detail
      const wallet = { id: info.uuid, name: info.name, provider }
      setWallets((known) => [...known.filter(({ id }) => id !== wallet.id), wallet])
      const reconnect = async () => {
        const accounts = await provider.request({ method: 'eth_accounts' })
        if ((accounts as readonly string[]).length > 0) setConnected((first) => first ?? provider)
      }
      reconnect().catch(() => {})
    }
    globalThis.addEventListener('eip6963:announceProvider', onAnnounce)
    globalThis.dispatchEvent(new Event('eip6963:requestProvider'))
    return () => globalThis.removeEventListener('eip6963:announceProvider', onAnnounce)
  }, [isOff])
  const connect = async ({ provider }: AnnouncedWallet) => {
    await provider.request({ method: 'eth_requestAccounts' })
    setConnected(provider)
  }
  return { wallets, connected, connect }
}

type Announcement = CustomEvent<{
  readonly info: { readonly uuid: string; readonly name: string }
  readonly provider: Eip1193Provider
}>
