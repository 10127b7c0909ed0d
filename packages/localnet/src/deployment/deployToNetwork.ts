import { type Address, Network, Amount } from '@agio/core'
import { type Hex, encodeFunctionData, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tokenAbi } from '@agio/chain/abi'
import { toProvider } from '../chain/Provider.ts'
import { createDeployer, type Deployer } from './createDeployer.ts'
import { type NetworkFeeds, deployReader, oneDollar, type DeployedAsset } from './deployAsset.ts'
import { setGuardian, deployPool, depositInto } from './deployPool.ts'
import { deployStack, type DeployedContract } from './deployStack.ts'
import { writeDeployment } from './deploymentFile.ts'
import { readCodeHashes } from './readCodeHashes.ts'
import { undefinedIfReverted } from './undefinedIfReverted.ts'
import { oracleAbi } from '../price/keeper.ts'
import { toCreate2Address } from './create2.ts'
import { assertDeployable, deployRouter, planRouter } from './deployRouter.ts'
import { registryAbi } from './listRegistered.ts'

/**
 * Deploys all contracts to a test network.
 *
 * @returns the path of the deployment file, and the contracts whose ownership the new owner must accept
 * @throws `Error` if the node serves another chain; the errors of `deployStack`
 */
export async function deployToNetwork({
  rpcUrl,
  deployerKey,
  ...options
}: deployToNetwork.Options): Promise<NetworkDeployment> {
  return await deployBy(await createDeployer(toProvider(rpcUrl), privateKeyToAccount(deployerKey)), options)
}

/** Deploys all contracts to a test network with an account of its own. @see `deployToNetwork` */
export async function deployBy(deployer: Deployer, options: deployBy.Options): Promise<NetworkDeployment> {
  const { chainId } = options
  const served = await deployer.client.getChainId()
  if (served !== chainId) throw new Error(`Cannot deploy to chain ${chainId}: the node serves chain ${served}`)
  const { existing } = options
  const { deployment, contracts } = existing
    ? await deployOnTokens(deployer, { ...options, ...existing })
    : await deployStack(deployer, options)
  options.onProgress(`Deploying to chain ${chainId}: reader`)
  // The service needs a deployed reader if a node rejects state overrides.
  const reader = await deployer.deploy('Reader', [])
  const codeHashes = { ...deployment.codeHashes, ...(await readCodeHashes(deployer.client, [reader])) }
  const path = await writeDeployment(options.deploymentsDir, { ...deployment, reader, codeHashes })
  if (options.guardian !== undefined)
    for (const pool of deployment.pools) await setGuardian(deployer, pool, options.guardian)
  if (options.owner === undefined) return { path, pending: [] }
  options.onProgress(`Handing over the contracts of chain ${chainId} to ${options.owner}`)
  return { path, pending: await handOver(deployer, contracts, options.owner) }
}

export declare namespace deployToNetwork {
  type Options = deployBy.Options & {
    /** The node of the network. */
    readonly rpcUrl: string
    /** The private key of the account that deploys and pays. It owns the contracts unless they are handed over. */
    readonly deployerKey: Hex
  }
}

export declare namespace deployBy {
  type Options = NetworkFeeds & {
    readonly chainId: Network.ChainId
    readonly deploymentsDir: string
    readonly dollarsPerSide?: number | undefined
    /** Tokens that exist, of which pools are made. By default test tokens are deployed. */
    readonly existing?: Pick<deployOnTokens.Options, 'tokens' | 'referenceToken'> | undefined
    /** The account to which the deployer hands over every contract that has an owner. Default: the deployer. */
    readonly owner?: Address | undefined
    /** The account that may freeze the pools, besides their owner. Default: none. */
    readonly guardian?: Address | undefined
    readonly onProgress: (message: string) => void
  }
}

type NetworkDeployment = {
  /** The path of the deployment file. */
  readonly path: string
  readonly pending: readonly DeployedContract[]
}

const ownableAbi = parseAbi([
  'function owner() view returns (address)',
  'function pendingOwner() view returns (address)',
  'function transferOwnership(address newOwner)',
])

/**
 * Transfers the ownership of every contract that the deployer owns. A contract that transfers in two steps keeps the
 * deployer as its owner until the new owner accepts.
 *
 * @returns the contracts that the new owner must accept
 * @throws `Error` if a transfer reverts
 */
async function handOver(
  deployer: Deployer,
  contracts: readonly DeployedContract[],
  newOwner: Address,
): Promise<readonly DeployedContract[]> {
  const read = async (address: Address, functionName: 'owner' | 'pendingOwner') =>
    await undefinedIfReverted(deployer.client.readContract({ address, abi: ownableAbi, functionName }))
  const pending: DeployedContract[] = []
  const data = encodeFunctionData({ abi: ownableAbi, functionName: 'transferOwnership', args: [newOwner] })
  for (const contract of contracts) {
    const owner = await read(contract.address, 'owner')
    if (owner === undefined || !isAddressEqual(owner, deployer.address) || isAddressEqual(owner, newOwner)) continue
    await deployer.send(contract.address, data)
    const waiting = await read(contract.address, 'pendingOwner')
    if (waiting !== undefined && isAddressEqual(waiting, newOwner)) pending.push(contract)
  }
  return pending
}

const namedAbi = parseAbi(['function name() view returns (string)', 'function version() view returns (string)'])

/** A token that exists, and what its pool with the reference token begins with. */
type ExistingToken = {
  readonly address: Address
  /** Its feed against the dollar, with 8 decimals. Without one, an oracle of the deployer is deployed. */
  readonly feed?: Address | undefined
  /** The first price of that oracle, in dollars. */
  readonly price?: string | undefined
  /** The amount of the first deposit, in whole tokens. */
  readonly deposit: string
}

/**
 * Deploys pools of tokens that exist, with a router, and makes the first deposits from the deployer's balance. Reads every
 * token first, and sends nothing if the balance is too low. There is no faucet.
 *
 * @throws `Error` that names every balance that is too low, and the errors of `assertDeployable`
 */
async function deployOnTokens(
  deployer: Deployer,
  options: deployOnTokens.Options,
): Promise<Awaited<ReturnType<typeof deployStack>>> {
  const { onProgress, ...feeds } = options
  const chainId = await deployer.client.getChainId()
  if (!Network.isChainId(chainId)) throw new Error(`Cannot deploy to chain ${chainId}: the service does not support it`)
  const plan = planRouter(deployer.address)
  await assertDeployable(deployer, plan)
  const quote = await readToken(deployer, options.referenceToken, onProgress)
  const sides: Side[] = []
  for (const token of options.tokens) sides.push(await readSide(deployer, token, { quote, onProgress }))
  for (const side of sides) await assertNoPool(deployer, toCreate2Address(plan.factory), [side, quote])
  await assertFunded(deployer, quote, sides)
  onProgress(`Deploying to chain ${chainId}: readers, router, pools`)
  const reference = await deployReader(deployer, { ...quote, oracle: zeroAddress, firstPrice: oneDollar }, feeds)
  const { factory, router } = await deployRouter(deployer, plan)
  const contracts: DeployedContract[] = [{ name: 'factory', address: factory }]
  const readers = [reference.reader]
  const pools: Address[] = []
  for (const side of sides) {
    const oracle =
      side.feed ?? (await deployer.deploy('TestOracle', [`${side.symbol} / USD`, side.price, deployer.address]))
    const base = await deployReader(deployer, { ...side, oracle, firstPrice: side.price }, feeds)
    const pool = await deployPool(deployer, base, reference)
    // A pool is registered last, so that a deployment that fails half way can be repeated.
    await depositInto(deployer, pool, side.value)
    await deployer.send(factory, encodeFunctionData({ abi: registryAbi, functionName: 'addPool', args: [pool] }))
    readers.push(base.reader)
    pools.push(pool)
    contracts.push({ name: `pool ${side.symbol}/${quote.symbol}`, address: pool })
    if (!side.feed) contracts.push({ name: `oracle of ${side.symbol}`, address: oracle })
  }
  const codeHashes = await readCodeHashes(deployer.client, [factory, router, ...pools, ...readers])
  return { deployment: { chainId, router, factory, pools, referenceToken: quote.token, codeHashes }, contracts }
}

declare namespace deployOnTokens {
  type Options = NetworkFeeds & {
    readonly tokens: readonly ExistingToken[]
    readonly referenceToken: Address
    readonly onProgress: (message: string) => void
  }
}

type Token = Pick<DeployedAsset, 'symbol' | 'token'> & { readonly decimals: number }

/** A token with its first deposit: its price in dollars with 8 decimals, and the value of both sides with 18 decimals. */
type Side = Token & {
  readonly feed: Address | undefined
  readonly price: bigint
  readonly baseRaw: bigint
  readonly quoteRaw: bigint
  readonly value: bigint
}

/** Reads a token, and reports what wallets will see of it: its symbol, decimals and permit domain. */
async function readToken({ client }: Deployer, token: Address, onProgress: (message: string) => void): Promise<Token> {
  const read = { address: token, abi: tokenAbi } as const
  const [symbol, decimals, name, version] = await Promise.all([
    undefinedIfReverted(client.readContract({ ...read, functionName: 'symbol' })),
    undefinedIfReverted(client.readContract({ ...read, functionName: 'decimals' })),
    undefinedIfReverted(client.readContract({ address: token, abi: namedAbi, functionName: 'name' })),
    undefinedIfReverted(client.readContract({ address: token, abi: namedAbi, functionName: 'version' })),
  ])
  if (symbol === undefined || decimals === undefined) throw new Error(`Cannot deploy: ${token} is not a token`)
  const domain = version === undefined ? 'no version of a permit domain' : `permit domain '${name}', version ${version}`
  onProgress(`Token ${token}: ${symbol}, ${decimals} decimals, ${domain}`)
  return { token, symbol, decimals }
}

type SideContext = { readonly quote: Token; readonly onProgress: (message: string) => void }

async function readSide(
  deployer: Deployer,
  existing: ExistingToken,
  { quote, onProgress }: SideContext,
): Promise<Side> {
  const { address, feed, price: text, deposit } = existing
  const token = await readToken(deployer, address, onProgress)
  const price = feed ? await readPrice(deployer, feed) : Amount.parse(text ?? '', 8, 'price')
  const baseRaw = Amount.parse(deposit, token.decimals, 'deposit')
  const [baseUnit, quoteUnit] = [10n ** BigInt(token.decimals), 10n ** BigInt(quote.decimals)]
  // The pool rounds the quote side up.
  const quoteRaw = (baseRaw * price * quoteUnit) / (baseUnit * oneDollar) + 1n
  const value = (2n * baseRaw * price * 10n ** 18n) / (baseUnit * oneDollar)
  return { ...token, feed, price, baseRaw, quoteRaw, value }
}

async function readPrice({ client }: Deployer, feed: Address): Promise<bigint> {
  const round = client.readContract({ address: feed, abi: oracleAbi, functionName: 'latestRoundData' })
  const answer = (await undefinedIfReverted(round))?.[1] ?? 0n
  if (answer > 0n) return answer
  throw new Error(`Cannot deploy: ${feed} is not a price feed, or has no price`)
}

/** Asserts that a factory, which may not exist yet, has no pool of two tokens. @throws `Error` that names the pool */
async function assertNoPool({ client }: Deployer, factory: Address, [base, quote]: readonly [Token, Token]) {
  const args = [base.token, quote.token] as const
  const read = client.readContract({ address: factory, abi: registryAbi, functionName: 'getCurve', args })
  const pool = (await undefinedIfReverted(read)) ?? zeroAddress
  if (pool === zeroAddress) return
  throw new Error(`Cannot deploy: factory ${factory} already has pool ${pool} of ${base.symbol} and ${quote.symbol}`)
}

/** Asserts that the deployer holds the first deposits. @throws `Error` that names every balance that is too low */
async function assertFunded({ address, client }: Deployer, quote: Token, sides: readonly Side[]): Promise<void> {
  const quoteRaw = sides.reduce((sum, side) => sum + side.quoteRaw, 0n)
  const needs = [...sides.map((side) => ({ ...side, raw: side.baseRaw })), { ...quote, raw: quoteRaw }]
  const missing: string[] = []
  for (const { token, symbol, decimals, raw } of needs) {
    const read = { address: token, abi: tokenAbi, functionName: 'balanceOf', args: [address] } as const
    const held = await client.readContract(read)
    const format = (amount: bigint) => `${Amount.format(amount, decimals)} ${symbol}`
    if (held < raw) missing.push(`${format(held)} of ${format(raw)}`)
  }
  if (missing.length > 0) throw new Error(`Cannot deploy: ${address} holds only ${missing.join(', ')}`)
}
