import { Async, Network, type ErrorCode, Amount, Errors } from '@agio/core'
import type { RunningServer } from '@agio/server'
import { encodeFunctionData, getAddress, isAddress, parseAbi, parseEther, zeroAddress, type Address } from 'viem'
import type { LocalChain } from '../chain/LocalChain.ts'
import type { Localnet } from '../localnet/startLocalnet.ts'
import { assertMining } from './chain/mining.ts'
import { createScenarioContext, type ActiveScenario, type ResettableContext } from './createScenarioContext.ts'
import type { Scenario, ScenarioContext } from './definition/defineScenario.ts'
import { parseChainId, parseOptions, type OptionsOf } from './definition/parseOptions.ts'
import type { FaultProxies } from './node/startFaultProxies.ts'
import { toNodeError } from './node/createChainOperator.ts'
import { inject, resetScenario } from './resetScenario.ts'
import { resetSpecs, scenarios, type ScenarioName } from './scenarios.ts'

/**
 * Creates the functions that inject faults into local chains and their proxies, and that remove the faults. Calls run one at a
 * time.
 *
 * A call returns once the service reports the block with the fault. The `rpc-*` faults apply to the next request to the node,
 * so these calls return at once. While an `rpc-*` fault is injected, no call waits for the service on that chain.
 *
 * @example
 * const scenarios = createScenarios({ localnet, proxies, findServiceUrl: () => server.url })
 * await scenarios.run('price-move', { symbol: 'tAUD', percent: -5 })
 * await scenarios.reset()
 */
export function createScenarios(dependencies: Dependencies): ExclusiveScenarios {
  const contexts = createContexts(dependencies)
  const lock = Async.createMutex()
  const exclusively: Exclusively = (work) => lock(() => work([...contexts.values()]).catch(rethrowNodeError))
  return {
    exclusively,
    run: (name, ...[options]) => exclusively(() => run(contexts, name, options)),
    reset: (options) => exclusively(() => reset(contexts, options)),
    fund: (fields) => exclusively(() => fundOn(contexts, fields)),
    listChains: () => [...contexts.values()].map(describeChain),
  }
}

type Dependencies = {
  readonly localnet: Pick<Localnet<never>, 'chains' | 'keeper' | 'blockIntervalMs'>
  /** The proxies that the service uses as its nodes. Without them, the `rpc-*` scenarios are rejected. */
  readonly proxies?: FaultProxies<never> | undefined
  /**
   * Returns the URL of the service; undefined if it does not listen. Without a URL, calls return when the chain has the
   * fault.
   */
  readonly findServiceUrl?: (() => string | undefined) | undefined
  /** Resets the service's circuit breakers of a chain. Without it, the service probes its nodes in its own time. */
  readonly resetCircuits?: ((chainId: Network.ChainId) => void) | undefined
  /** Replaces the market hours that the service has for a feed. Without it, no market can be closed. */
  readonly replaceSchedule?: RunningServer['replaceSchedule'] | undefined
}

/** Scenarios that can be kept from running. */
type ExclusiveScenarios = Scenarios & { readonly exclusively: Exclusively }

/** Does other work on the chains, with their contexts, while no scenario, reset or funding runs. */
export type Exclusively = <Result>(work: (contexts: readonly ResettableContext[]) => Promise<Result>) => Promise<Result>

/** Runs and resets scenarios. */
export type Scenarios = {
  /**
   * Injects a fault until the next reset, in addition to earlier faults.
   *
   * @throws `svc/invalid-request`, `svc/unsupported-chain`; `svc/upstream-timeout` if the service does not report the
   * block, and `svc/upstream-*` if the chain's own node fails
   */
  run<Name extends ScenarioName>(name: Name, ...options: RunOptions<Name>): Promise<ScenarioResult>
  /**
   * Removes the faults from all chains, or from the named chain, and pushes the prices. Transactions of users stay. With
   * `scenario`, removes only the faults of this scenario.
   *
   * @throws `svc/unsupported-chain`; `svc/invalid-request` for one scenario while mining is stopped;
   * `svc/upstream-timeout` if the service does not report the block, and `svc/upstream-*` if a chain's own node fails
   */
  reset(options?: ResetOptions): Promise<readonly ServedBlock[]>
  /**
   * Adds amounts to the balances of an account, and returns once the service reports them.
   *
   * @param fields untrusted: `address`, `amounts` in whole tokens by symbol, and `chainId`
   * @throws the errors of the function `fund`, `svc/unsupported-chain`
   */
  fund(fields: Readonly<Record<string, unknown>>): Promise<ServedBlock>
  /** Lists the chains, with the values that scenario options accept and the active faults. */
  listChains(): readonly ScenarioChain[]
}

/** A chain of a stack, with its contracts by name and its faults. */
export type ScenarioChain = {
  readonly chainId: Network.ChainId
  /** The values of an option of `oracles`: `tAUD`. */
  readonly oracles: readonly string[]
  /** The values of an option of `pools`: `tAUD/tUSD`. */
  readonly pools: readonly string[]
  /** The faults since the last reset, oldest first. */
  readonly active: readonly ActiveScenario[]
}

type RunOptions<Name extends ScenarioName> =
  object extends OptionsFor<Name>
    ? [options?: ChainOption & OptionsFor<Name>]
    : [options: ChainOption & OptionsFor<Name>]

type OptionsFor<Name extends ScenarioName> = OptionsOf<(typeof scenarios)[Name]['options']>

type ChainOption = { readonly chainId?: Network.ChainId | undefined }

type ResetOptions = ChainOption & { readonly scenario?: ScenarioName | undefined }

/** The first block at which the service sees the change. */
type ServedBlock = { readonly chainId: Network.ChainId; readonly blockNumber: number }

/** The result of a scenario. */
export type ScenarioResult = ServedBlock & {
  readonly scenario: ScenarioName
  /** The error codes that callers of the service now receive. */
  readonly codes: readonly ErrorCode[]
}

type Contexts = ReadonlyMap<Network.ChainId, ResettableContext>

function createContexts({ localnet, proxies, findServiceUrl, ...callbacks }: Dependencies): Contexts {
  const { resetCircuits, replaceSchedule } = callbacks
  const service = { findServiceUrl: findServiceUrl ?? (() => undefined), resetCircuits, replaceSchedule }
  const create = (chain: LocalChain) =>
    createScenarioContext(chain, { ...localnet, ...service, proxy: proxies?.[chain.chainId] })
  return new Map(Object.values(localnet.chains).map((chain) => [chain.chainId, create(chain)]))
}

function getContext(contexts: Contexts, value: unknown): ResettableContext {
  const chainId = parseChainId(value, [...contexts.keys()])
  return contexts.get(chainId) as ResettableContext
}

async function run(contexts: Contexts, name: ScenarioName, options: ChainOption = {}): Promise<ScenarioResult> {
  const { chainId: chosenId, ...fields } = options
  const context = getContext(contexts, chosenId)
  const { chainId } = context.chain
  const scenario: Scenario = scenarios[name]
  const parsed = parseOptions(fields, { specs: scenario.options, chain: context.chain })
  if (scenario.needsMining) await assertMining(context)
  await inject(context, scenario, parsed)
  return { scenario: name, chainId, blockNumber: await context.waitUntilServed(), codes: scenario.codes }
}

async function fundOn(contexts: Contexts, { chainId: chosenId, ...fields }: Readonly<Record<string, unknown>>) {
  const context = getContext(contexts, chosenId)
  await fund(context, fields)
  return { chainId: context.chain.chainId, blockNumber: await context.waitUntilServed() }
}

async function reset(contexts: Contexts, options: ResetOptions = {}): Promise<readonly ServedBlock[]> {
  const { chainId: chosenId, ...fields } = options
  const chosen = chosenId === undefined ? [...contexts.values()] : [getContext(contexts, chosenId)]
  for (const { chain } of chosen) parseOptions(fields, { specs: resetSpecs, chain })
  const { scenario } = fields
  const resets = chosen.map(async (context) => ({
    chainId: context.chain.chainId,
    blockNumber: await (scenario === undefined ? context.reset() : resetScenario(context, scenario)),
  }))
  // If one reset fails, the other resets must still finish before the next call.
  await Promise.allSettled(resets)
  return await Promise.all(resets)
}

function describeChain({ chain, listActive }: ResettableContext): ScenarioChain {
  const { chainId, oracles, pools } = chain
  return { chainId, oracles: Object.keys(oracles), pools: Object.keys(pools), active: listActive() }
}

function rethrowNodeError(error: unknown): never {
  throw toNodeError(error)
}

const mintableAbi = parseAbi([
  'function owner() view returns (address)',
  'function decimals() view returns (uint8)',
  'function mint(address to, uint256 amount)',
])

const gasMoneyWei = parseEther('1')

/**
 * Adds tokens and native currency to the balances of an account. Without an amount of native currency, an account with
 * less than 1 gets 1, for gas. Nothing is added if one of the amounts is refused.
 *
 * The node gives each transaction its nonce, so pushes of the keeper may be sent at the same time.
 *
 * @throws `svc/invalid-address`, `svc/unsupported-token`, `svc/invalid-request`; `svc/upstream-error` for a token that its
 * owner cannot mint
 */
async function fund(context: ScenarioContext, { address, amounts }: Readonly<Record<string, unknown>>): Promise<void> {
  const { chain, operator } = context
  const { client } = operator
  const account = parseAccount(address)
  const { nativeCurrency } = Network.get(chain.chainId)
  const { [nativeCurrency.symbol]: native, ...tokens } = toAmounts(amounts)
  const nativeWei = native === undefined || native === '0' ? 0n : Amount.parse(native, 18, nativeCurrency.symbol)
  const mints = await Promise.all(
    Object.entries(tokens).map(async ([symbol, amount]) => {
      const token = { address: getToken(chain, symbol), abi: mintableAbi } as const
      const decimals = await client.readContract({ ...token, functionName: 'decimals' })
      const args = [account, Amount.parse(amount, decimals, symbol)] as const
      return { token, data: encodeFunctionData({ abi: mintableAbi, functionName: 'mint', args }) }
    }),
  )
  if (mints.length > 0) await assertMining(context)
  const balanceWei = await client.getBalance({ address: account })
  const value = native === undefined && balanceWei < gasMoneyWei ? gasMoneyWei : balanceWei + nativeWei
  if (value !== balanceWei) await client.setBalance({ address: account, value })
  for (const { token, data } of mints) {
    await operator.sendAs(await client.readContract({ ...token, functionName: 'owner' }), token.address, data)
  }
}

/**
 * Returns an address with its checksum. A text with letters of both cases must have the right checksum (EIP-55), as in
 * requests of the API.
 */
function parseAccount(value: unknown): Address {
  if (value === undefined) throw refuseAddress(value, 'it is missing')
  if (typeof value !== 'string' || !isAddress(value, { strict: false })) {
    throw refuseAddress(value, 'it is not an address')
  }
  const account = getAddress(value)
  const hasBothCases = /[a-f]/.test(value) && /[A-F]/.test(value)
  if (hasBothCases && value !== account) throw refuseAddress(value, 'its checksum (EIP-55) is wrong')
  if (account === zeroAddress) throw refuseAddress(value, 'it is the zero address')
  return account
}

function refuseAddress(value: unknown, reason: string): Error {
  return Errors.invalidAddress({ field: 'address', value: typeof value === 'string' ? value : undefined, reason })
}

function toAmounts(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw Errors.invalidRequest({ field: 'amounts', value, reason: 'it is not an object of amounts by symbol' })
  for (const [field, amount] of Object.entries(value)) {
    if (typeof amount !== 'string') throw Errors.invalidRequest({ field, value: amount, reason: 'it is not a string' })
  }
  return value as Readonly<Record<string, string>>
}

function getToken({ chainId, tokens }: LocalChain, symbol: string): Address {
  if (Object.hasOwn(tokens, symbol)) return tokens[symbol] as Address
  const symbols = [...Object.keys(tokens), Network.get(chainId).nativeCurrency.symbol].join(', ')
  throw Errors.invalidRequest({
    field: symbol,
    action: `fund with ${symbol}`,
    reason: `the tokens of chain ${chainId} are ${symbols}`,
  })
}
