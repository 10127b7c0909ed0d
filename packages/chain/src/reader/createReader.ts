import type { Address } from '@agio/core'
import { encodeFunctionData, isAddressEqual, type Hex } from 'viem'
import { readerAbi } from '../abi/index.ts'
import type { CodeVerifier } from '../health/createCodeVerifier.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { ProvenRead } from '../proof/ProvenRead.ts'
import type { Rpc } from '../selection/createRpc.ts'
import type { BlockAt, ReaderCalls } from './createReaderCalls.ts'
import { findNumber, type RawCurveState, type RawPoolState, type Result } from './decodeResult.ts'
import { classifyError } from '../errors/classifyError.ts'

const blockNumberData = encodeFunctionData({ abi: readerAbi, functionName: 'blockNumber' })

/** Makes any number of contract reads in one `eth_call`, at one block, by the code of the Reader contract. */
export function createReader({ read }: Pick<Rpc, 'read'>, calls: ReaderCalls): Reader {
  const aggregate: Reader['aggregate'] = async (reads, at = 'latest') => {
    const data = encodeFunctionData({ abi: readerAbi, functionName: 'aggregate', args: [reads] })
    const readsRoutes = reads.some(({ target }) => target === calls.routeReader)
    const call = calls.create('aggregate', reads.length, { data, at, readsRoutes })
    const { timestampSeconds, items } = await read(call)
    return { timestampSeconds, results: items }
  }
  /** A deployed reader may be of a version without probes. */
  const readDeployed = async (probes: readonly Probe[], at: BlockAt) => {
    const pools = probes.map(({ pool }) => pool)
    const data = encodeFunctionData({ abi: readerAbi, functionName: 'poolStates', args: [pools] })
    const { timestampSeconds, items } = await read(
      requireStatesOf(probes, calls.create('poolStates', pools.length, { data, at }), (state) => state),
    )
    return { timestampSeconds, states: items.map((state) => ({ state })) }
  }
  const numberCall = { target: calls.address, data: blockNumberData }
  return {
    size: { maxItems: maxItemsPerCall },
    address: calls.address,
    routeReader: calls.routeReader,
    aggregate,
    async aggregateNewest(reads) {
      const { timestampSeconds, results } = await aggregate([...reads, numberCall])
      const number = findNumber(results[reads.length])
      return { block: { timestampSeconds, ...(number !== undefined && { number }) }, results: results.slice(0, -1) }
    },
    async poolStates(probes, at) {
      if (!calls.routeReader) return await readDeployed(probes, at)
      const data = encodeFunctionData({ abi: readerAbi, functionName: 'probedStates', args: [probes] })
      const { timestampSeconds, items } = await read(
        requireStatesOf(probes, calls.create('probedStates', probes.length, { data, at }), ({ state }) => state),
      )
      return { timestampSeconds, states: items }
    },
  }
}

/** Makes several calls in one request, by the Reader contract. */
export type Reader = {
  /** How many pools the node reads in one call. */
  readonly size: CallSize
  /** The address of the reader, for calls of its own functions inside `aggregate`. */
  readonly address: Address
  /**
   * The address of the RouteReader, for calls of its functions inside `aggregate`; undefined with a deployed reader.
   */
  readonly routeReader: Address | undefined
  /** Returns the result of each call, successful or not, and the block's time. */
  aggregate(calls: readonly Call[], at?: BlockAt): Promise<{ timestampSeconds: bigint; results: readonly Result[] }>
  /** Makes the calls at the newest block, and returns their results and that block. */
  aggregateNewest(calls: readonly Call[]): Promise<{ readonly block: ReadBlock; readonly results: readonly Result[] }>
  /** Returns the reserves, parameters and prices of each pool, with the result of its probe, and the block's time. */
  poolStates(
    probes: readonly Probe[],
    at: BlockAt,
  ): Promise<{ timestampSeconds: bigint; states: readonly ProbedState[] }>
}

/** A view of an exact input that proves the computation of a pool's curve. */
export type Probe = {
  readonly pool: Address
  /** Whether the probe pays the base token. */
  readonly paysBase: boolean
  /** The input, as a share of the pool's balance of the paid token, scaled by 1e18; zero for no probe. */
  readonly share: bigint
}

/**
 * The state of a pool, with the state of its curve and the result of the probe. A deployed reader returns only the state
 * of the pool.
 */
export type ProbedState = { readonly state: RawPoolState; readonly curve?: RawCurveState | undefined }

/** The block of a read at the newest block. */
export type ReadBlock = {
  /** Absent if the deployed reader is of a version that does not return the number. */
  readonly number?: bigint
  readonly timestampSeconds: bigint
}

/** A call of a contract. */
export type Call = { readonly target: Address; readonly data: Hex }

type States<Item> = { readonly timestampSeconds: bigint; readonly items: readonly Item[] }

/** Returns a read of pools that refuses a result with the states of other pools. */
function requireStatesOf<Item>(
  probes: readonly Probe[],
  read: ProvenRead<States<Item>>,
  toState: (item: Item) => RawPoolState,
): ProvenRead<States<Item>> {
  return {
    ...read,
    decode(result, node) {
      const proven = read.decode(result, node)
      const isAsked = (item: Item, index: number) => {
        const probe = probes[index]
        return probe !== undefined && isAddressEqual(toState(item).pool, probe.pool)
      }
      if (!proven.value.items.every(isAsked)) throw new Error('the node returns the states of other pools')
      return proven
    },
  }
}

// Nodes bound the gas of a call, some by the limit of a transaction (2^24), which suffices for about 160 of our pools.
const maxItemsPerCall = 100

// Another node may grant more gas than the node that refused a call.
const retryAfterMs = 600_000

/** The most items of a call, and the lower number that `readEach` uses after a node had too little gas for them. */
export type CallSize = {
  readonly maxItems: number
  lowered?: { readonly maxItems: number; readonly atMs: number }
}

function findMaxItems({ maxItems, lowered }: CallSize): number {
  return lowered && performance.now() - lowered.atMs < retryAfterMs ? lowered.maxItems : maxItems
}

/**
 * Reads many items with one call for at most 100 of them. If a call needs more gas than the node grants, for example
 * because one contract uses up all gas, reads each half of its items in a separate call. The result of a single item
 * that needs too much gas is undefined.
 *
 * @param read returns the results of one call, in the order of its items
 * @param size is lowered once a call was too large for the node, so that reads of the next ten minutes send no call that
 * fails
 * @throws the error of a node that could not answer
 */
export async function readEach<Item, Result>(
  items: readonly Item[],
  read: (items: readonly Item[]) => Promise<readonly Result[]>,
  size: CallSize = { maxItems: maxItemsPerCall },
): Promise<readonly (Result | undefined)[]> {
  const readParts = async (length: number) => {
    const firsts = Array.from({ length: Math.ceil(items.length / length) }, (_, index) => index * length)
    const parts = firsts.map((first) => readEach(items.slice(first, first + length), read, size))
    return (await Promise.all(parts)).flat()
  }
  const maxItems = findMaxItems(size)
  if (items.length > maxItems) return await readParts(maxItems)
  try {
    return await read(items)
  } catch (error) {
    if (!classifyError(error, 'eth_call').lacksGas) throw error
    if (items.length === 1) return [undefined]
    const half = Math.ceil(items.length / 2)
    const results = await readParts(half)
    // No single item was the cause.
    if (!results.includes(undefined))
      size.lowered = { maxItems: Math.min(findMaxItems(size), half), atMs: performance.now() }
    return results
  }
}

/** Creates a reader that reads from one node only, once the contracts of the chain are verified. */
export function createNodeReader(
  node: Pick<UpstreamNode, 'position' | 'state' | 'readProven'>,
  { readerCalls, verify }: Pick<CodeVerifier, 'verify'> & { readonly readerCalls: ReaderCalls },
) {
  const read = async <Value>(read: ProvenRead<Value>) => {
    await verify()
    return await node.readProven({ read, startedAtMs: performance.now() })
  }
  return { position: node.position, state: node.state, reader: createReader({ read }, readerCalls) }
}

/** A node, and a reader that reads from this node only. */
export type NodeReader = ReturnType<typeof createNodeReader>
