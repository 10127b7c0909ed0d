import { createAgio } from '@agio/sdk'
import { defineChain } from 'viem'
import { type Config, createConfig, createStorage, injected, unstable_connector } from 'wagmi'
import { getApiKey, recordCalls } from './service/calls.ts'
import { useCalls } from './service/useCalls.ts'
import { createQueryClient } from './service/trpc.ts'
import { useSession } from './session/session.ts'
import type { Console, Environment } from './settings/console.ts'
import { readSettings } from './settings/settings.ts'
import { tolerate } from './storage/browserStorage.ts'

/** Creates the console of a page: it reads the document and the storages, and connects to nothing yet. */
export function createConsole(page: Window): Console {
  const settings = readSettings(page)
  const environment: Environment = {
    settings,
    search: page.location.search,
    localStore: tolerate(() => page.localStorage),
    sessionStore: tolerate(() => page.sessionStorage),
    stores: new Map(),
  }
  const agioOptions: Console['agioOptions'] = {
    url: `${settings.servicePath}/`,
    getApiKey: () => getApiKey(useSession.of(environment).getState()),
    // The service serves this page, so the page cannot be safer than the service.
    contracts: 'service',
    fetch: recordCalls(useCalls.of(environment), (target, init) => page.fetch(target, init)),
    shareTabs: true,
  }
  const { api } = createAgio({ ...agioOptions, maxRetries: 0 })
  return {
    ...environment,
    agioOptions,
    queryClient: createQueryClient({ api, servicePath: settings.servicePath }),
    wagmiConfig: createWagmiConfig(environment),
  }
}

/** Creates the wagmi configuration of a page. It finds the wallets that announce themselves by EIP-6963. */
function createWagmiConfig({ settings, localStore }: Environment): Config {
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
  return createConfig({
    chains: chains as [(typeof chains)[number], ...typeof chains],
    transports: Object.fromEntries(chains.map(({ id }) => [id, unstable_connector(injected, { retryCount: 0 })])),
    storage: createStorage({ key: 'agio.wallet', storage: localStore }),
  })
}
