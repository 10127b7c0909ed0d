import { ServiceError, type Conversion, type PricedRoute } from '@agio/core'
import type { Hex } from 'viem'
import type { Deployment } from '../deployment/Deployment.ts'
import { classifyError } from '../errors/classifyError.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { toHead, type Head } from '../head/Head.ts'
import type { Rpc } from '../selection/createRpc.ts'
import type { Snapshots, Snapshot } from '../snapshot/createSnapshots.ts'
import type { Receipt } from '../transaction/readReceipt.ts'
import { findModes, findTradePrices, readPriceUpdates, type PriceUpdate } from './findTradePrices.ts'
import { listConversions, type Trade, type TradedConversion } from './listConversions.ts'

/** A conversion of a mined transaction. */
export type MinedConversion = TradedConversion & {
  /**
   * The prices of the execution; undefined if no node has the states before and after the block, or if these states do
   * not determine the prices.
   */
  readonly prices: PricedRoute.PricedRoute | undefined
  /**
   * The modes in which our maths gives the conversion's amounts at these prices. The list is empty if a pool is priced
   * on chain.
   */
  readonly modes: readonly Conversion.Mode[]
}

/**
 * The conversions of a transaction in the order of their events, and the block of the transaction. The block is read
 * only if there is a conversion.
 */
export type MinedConversions =
  | { readonly conversions: readonly []; readonly block: undefined }
  | { readonly conversions: readonly [MinedConversion, ...MinedConversion[]]; readonly block: Head }

type Dependencies = {
  readonly rpc: Rpc
  readonly snapshots: Pick<Snapshots, 'getAt'>
  readonly deployment: Deployment
}

/**
 * Returns the conversions of a mined transaction, and the prices at which they were executed. This takes two round
 * trips, or one if the states of the pools before the block are in memory.
 *
 * @throws `svc/upstream-*` if no node answers, or no node has the block
 */
export async function readConversions(
  dependencies: Dependencies,
  { logs, blockHash, blockNumber }: Pick<Receipt, 'logs' | 'blockHash' | 'blockNumber'>,
): Promise<MinedConversions> {
  const [first, ...others] = listConversions(logs, dependencies.deployment)
  if (!first) return { conversions: [], block: undefined }
  const [block, after, updates = []] = await Promise.all([
    readBlock(dependencies.rpc, blockHash),
    orUndefined(dependencies.snapshots.getAt({ number: blockNumber, hash: blockHash })),
    orUndefined(readPriceUpdates(dependencies.rpc, blockHash)),
  ])
  const parent = after && block.parentHash && { number: blockNumber - 1n, hash: block.parentHash }
  const before = parent && (await orUndefined(dependencies.snapshots.getAt(parent)))
  const explain = (conversion: TradedConversion): MinedConversion => {
    const { trades } = conversion
    const prices = before && after && findPrices(trades, { before, after, updates })
    return { ...conversion, prices, modes: prices ? findSharedModes(prices, trades) : [] }
  }
  return { block, conversions: [explain(first), ...others.map(explain)] }
}

type States = { readonly before: Snapshot; readonly after: Snapshot; readonly updates: readonly PriceUpdate[] }

function findPrices(trades: readonly Trade[], { before, after, updates }: States): PricedRoute.PricedRoute | undefined {
  const hops = trades.map((trade) => {
    const [from, to] = [before, after].map(({ pools }) => pools.find(({ address }) => address === trade.pool))
    return from && to && findTradePrices(trade, { before: from, after: to, updates })
  })
  const isComplete = (all: typeof hops): all is PricedRoute.Hop[] => all.every((hop) => hop !== undefined)
  return isComplete(hops) ? (hops as unknown as PricedRoute.PricedRoute) : undefined
}

function findSharedModes(hops: PricedRoute.PricedRoute, trades: readonly Trade[]): readonly Conversion.Mode[] {
  const [modes = [], ...others] = trades.map((trade, index) => findModes(hops[index] ?? hops[0], trade))
  return modes.filter((mode) => others.every((each) => each.includes(mode)))
}

/** Reads a block. @throws `svc/upstream-*`, also if the node does not have it */
export async function readBlock({ client }: Rpc, hash: Hex): Promise<Head> {
  return await client
    .request({ method: 'eth_getBlockByHash', params: [hash, false] })
    .then(toHead)
    .catch(rethrowUpstream)
}

/**
 * Returns the result of a read; undefined if the nodes report that they cannot serve it, for example because they no
 * longer have the state.
 */
async function orUndefined<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  return await reading.catch((error: unknown) => {
    if (isAnswer(error)) return undefined
    throw error
  })
}

function isAnswer(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'svc/upstream-error') return false
  // An error without a cause means that the node answered, but no pool of the deployment is readable.
  return error.cause === undefined || classifyError(error.cause, 'eth_call').isAnswer
}
