import { Network } from '@agio/core'
import { configVariable } from 'hardhat/config'
import type { HardhatConfig, HardhatUserConfig, NetworkUserConfig } from 'hardhat/types/config'
import type { ConfigHooks } from 'hardhat/types/hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { chainDescriptors, toForkName, toLocalNetwork, toNetworkName } from '../node/localNetworks.ts'

/** Creates the hooks that add the networks and the folder of the deployment files to the configuration. */
export async function createConfigHooks(): Promise<Partial<ConfigHooks>> {
  return { extendUserConfig, resolveUserConfig }
}

/** Adds the networks. What the project sets for a network replaces our values. */
async function extendUserConfig(
  config: HardhatUserConfig,
  next: (config: HardhatUserConfig) => Promise<HardhatUserConfig>,
): Promise<HardhatUserConfig> {
  const extended = await next(config)
  const networks: Record<string, NetworkUserConfig> = { ...extended.networks }
  for (const [name, network] of Network.all.flatMap(toNetworks)) {
    networks[name] = { ...network, ...networks[name] } as NetworkUserConfig
  }
  return { ...extended, networks, chainDescriptors: { ...chainDescriptors, ...extended.chainDescriptors } }
}

function toNetworks({ chainId, slug }: (typeof Network.all)[number]): readonly [string, NetworkUserConfig][] {
  const url = toUrl(`RPC_URL_${chainId}`)
  const local = toLocalNetwork(chainId)
  return [
    [toNetworkName(chainId), local],
    [toForkName(chainId), { ...local, forking: { url } }],
    [slug, { type: 'http', chainType: 'generic', chainId, url, accounts: [configVariable('DEPLOYER_KEY')] }],
  ]
}

/** Returns the first node of a variable that may list several, or the variable, which may be in the keystore. */
function toUrl(name: string) {
  const [first, second] = process.env[name]?.split(',') ?? []
  return first === undefined || second === undefined ? configVariable(name) : first.trim()
}

type Resolve = ConfigHooks['resolveUserConfig']

/** Adds the folder of the deployment files, and keeps what forks of local nodes have read for this process alone. */
async function resolveUserConfig(...[config, resolveVariable, next]: Parameters<Resolve>): Promise<HardhatConfig> {
  const resolved = await next(config, resolveVariable)
  const deployments = resolve(resolved.paths.root, config.paths?.deployments ?? 'deployments')
  const networks = { ...resolved.networks }
  for (const chainId of Network.chainIds) {
    const [name, network] = [toForkName(chainId), networks[toForkName(chainId)]]
    const url = findUrl(config.networks?.[name])
    if (network?.type !== 'edr-simulated' || !network.forking || !url || !isLoopback(url)) continue
    networks[name] = { ...network, forking: { ...network.forking, cacheDir: getTemporaryFolder() } }
  }
  return { ...resolved, networks, paths: { ...resolved.paths, deployments } }
}

/** Finds the node of a fork, unless it is in the keystore. */
function findUrl(network: NetworkUserConfig | undefined): string | undefined {
  const url = network?.type === 'edr-simulated' ? network.forking?.url : undefined
  return typeof url === 'object' ? process.env[url.name] : url
}

function isLoopback(url: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')
}

let temporaryFolder: string | undefined

/** Hardhat identifies forks by host and port, but a local port may belong to another chain at the next start. */
function getTemporaryFolder(): string {
  if (temporaryFolder !== undefined) return temporaryFolder
  const folder = mkdtempSync(join(tmpdir(), 'agio-fork-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  temporaryFolder = folder
  return folder
}
