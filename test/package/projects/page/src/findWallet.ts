import type { Eip1193Provider } from '@agio/sdk'

type Announcement = CustomEvent<{ info: { name: string }; provider: Eip1193Provider }>

/** The wallet that announces itself by EIP-6963. */
export function findWallet(): Eip1193Provider {
  const found: Eip1193Provider[] = []
  addEventListener('eip6963:announceProvider', (event) => found.push((event as Announcement).detail.provider))
  dispatchEvent(new Event('eip6963:requestProvider'))
  const [wallet] = found
  if (!wallet) throw new Error('No wallet is installed')
  return wallet
}
