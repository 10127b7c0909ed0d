import { Network, type Address } from '@agio/core'
import { parseSettings } from '@agio/server/cli'
import { join } from 'node:path'
import { BaseError, getAddress, isAddress, zeroAddress, type Hex } from 'viem'
import { checkout } from '../assets/assets.ts'
import { deploySettings, networkNames } from './deploySettings.ts'

/** Parses the option `--network`. @throws `Error` that names the networks */
export function parseNetwork(name: string): (typeof Network.all)[number] {
  const network = Network.all.find(({ slug }) => slug === name)
  if (!network) throw new Error(`Unknown network '${name}': the test networks are ${networkNames}`)
  return network
}

/** Parses an option with an address; undefined without the option. @throws `Error` that names the option */
export function parseAddress(option: string, address: string): Address
export function parseAddress(option: string, address: string | undefined): Address | undefined
export function parseAddress(option: string, address: string | undefined): Address | undefined {
  if (address === undefined) return undefined
  if (isAddress(address) && address !== zeroAddress) return getAddress(address)
  throw new Error(`Invalid option: --${option} is not an address with a valid checksum`)
}

/**
 * Reads the settings of a command that works on the contracts of a network.
 *
 * @param command the action for the error message, such as `deploy`
 * @throws `Error` that names each bad variable
 */
export function readContractSettings(environment: NodeJS.ProcessEnv, command: string): ContractSettings {
  const { texts } = parseSettings(deploySettings, environment, command)
  return { texts, deploymentsDir: texts['DEPLOYMENTS_DIR'] ?? join(checkout ?? '', 'deployments') }
}

type Texts = Readonly<Record<string, string | undefined>>

type ContractSettings = {
  /** The settings by variable. */
  readonly texts: Texts
  readonly deploymentsDir: string
}

/**
 * Returns the node of a chain. `RPC_URL_<chainId>` may list several nodes, in order of preference: the first one is used.
 *
 * @throws `Error` that names the missing variable
 */
export function getNode(chainId: Network.ChainId, texts: Texts): string {
  const [rpcUrls = ''] = getVariables(chainId, texts, [`RPC_URL_${chainId}`])
  const [rpcUrl = ''] = rpcUrls.split(',')
  return rpcUrl.trim()
}

/** Returns the node of a chain and the key that sends transactions. @throws `Error` that names every missing variable */
export function getCredentials(chainId: Network.ChainId, texts: Texts): getCredentials.Result {
  const [, deployerKey] = getVariables(chainId, texts, [`RPC_URL_${chainId}`, 'DEPLOYER_KEY'])
  return { rpcUrl: getNode(chainId, texts), deployerKey: deployerKey as Hex }
}

export declare namespace getCredentials {
  type Result = { readonly rpcUrl: string; readonly deployerKey: Hex }
}

function getVariables(chainId: Network.ChainId, texts: Texts, variables: readonly string[]): readonly string[] {
  const missing = variables.filter((name) => !texts[name])
  if (missing.length === 0) return variables.map((name) => texts[name] ?? '')
  throw new Error(`Cannot use chain ${chainId}: set ${missing.join(' and ')} in the environment`)
}

/** Does work at the node of a chain. @throws `Error` in one sentence, without the URL, if the node fails */
export async function atNode<Result>(chainId: Network.ChainId, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const reason = [error.shortMessage, error.details].filter(Boolean).join(' ')
    throw new Error(`The node of RPC_URL_${chainId} fails: ${reason}`, { cause: error })
  }
}
