import { defineChain } from 'viem'
import { createConfig, createStorage, injected, unstable_connector } from 'wagmi'
import { settings } from '../settings/settings.ts'
import { localStore } from '../storage/browserStorage.ts'

const chains = settings.networks.map(({ chainId, name, nativeCurrency, blockExplorer }) =>
  defineChain({
    id: chainId,
    name,
    nativeCurrency,
    // The page reads chains only through the wallet, so it needs no node URL.
    rpcUrls: { default: { http: [] } },
    ...(blockExplorer && { blockExplorers: { default: blockExplorer } }),
  }),
)

/** The wagmi configuration. It finds the wallets that announce themselves by EIP-6963. */
export const wagmiConfig = createConfig({
  chains: chains as [(typeof chains)[number], ...typeof chains],
  transports: Object.fromEntries(chains.map(({ id }) => [id, unstable_connector(injected, { retryCount: 0 })])),
  storage: createStorage({ key: 'agio.wallet', storage: localStore }),
})
