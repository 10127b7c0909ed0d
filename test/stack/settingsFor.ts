import type { Localnet } from '@agio/localnet'
import type { Settings } from '@agio/server'

/** The one key of every service under test. */
export const apiKey = 'key-of-the-test-suite'

/** Settings of a service over local chains, on a free port, logging nothing. */
export function settingsFor(localnet: Localnet, overrides: Partial<Settings> = {}): Settings {
  return {
    host: '127.0.0.1',
    port: 0,
    deploymentsDir: localnet.deploymentsDir,
    rpcUrls: { 84532: [localnet.chains[84532].rpcUrl], 421614: [localnet.chains[421614].rpcUrl] },
    apiKeys: [{ name: 'test', secret: apiKey, tier: 'local' }],
    corsOrigins: ['https://app.example'],
    logLevel: 'silent',
    broadcastWaitMs: 15_000,
    snapshotMaxAgeMs: 10_000,
    ...overrides,
  }
}
