import { Conversion, Hop, PricedRoute, type Pool, type Address } from '@agio/core'
import type { Trade } from './listConversions.ts'
import { encodeEventTopics, getAddress, parseAbi, type Hex } from 'viem'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { parseLogs, toTransactionLog } from '../transaction/readReceipt.ts'

/**
 * Finds the prices at which a trade was executed: the prices before the block, after the block, or set during the block.
 *
 * If the updates of an oracle explain the difference between both states of the pool, the last update before the trade
 * determines the price. Otherwise our maths determines the prices, if the pool is priced locally and only one
 * combination of prices before and after the block gives the amounts of the trade.
 *
 * @returns undefined if neither the updates nor our maths determine the prices
 */
export function findTradePrices(trade: Trade, states: findTradePrices.States): PricedRoute.Hop | undefined {
  const { after } = states
  const sides = [findAnswers(trade, trade.tokenIn, states), findAnswers(trade, trade.tokenOut, states)] as const
  const toPricedHop = ([tokenInAnswer, tokenOutAnswer]: readonly [bigint, bigint]): PricedRoute.Hop => {
    const { origin, target } = Hop.from(after, trade.tokenIn, trade.tokenOut)
    const [decimalsIn, decimalsOut] = [origin.token.decimals, target.token.decimals]
    const pricing = PricedRoute.toPricing(after)
    return { tokenInAnswer, tokenOutAnswer, epsilon: after.epsilon, decimalsIn, decimalsOut, pricing }
  }
  const positioned = findPositioned(sides)
  if (positioned && (after.pricing !== 'local' || findModes(toPricedHop(positioned), trade).length > 0)) {
    return toPricedHop(positioned)
  }
  const matching = combine(sides)
    .map(toPricedHop)
    .filter((hop) => findModes(hop, trade).length > 0)
  if (matching.length === 1) return matching[0]
  return positioned && toPricedHop(positioned)
}

export declare namespace findTradePrices {
  type States = {
    /** The pool of the trade at the end of the previous block. */
    readonly before: Pool.Pool
    /** The pool at the end of the trade's block. */
    readonly after: Pool.Pool
    /** The updates of the oracles in the trade's block, in their order. */
    readonly updates: readonly PriceUpdate[]
  }
}

/**
 * Lists the modes in which our maths gives the amounts of a trade at these prices. The list is empty for a pool priced
 * on chain.
 */
export function findModes(
  hop: PricedRoute.Hop,
  { amountInRaw, amountOutRaw }: Pick<Trade, 'amountInRaw' | 'amountOutRaw'>,
): readonly Conversion.Mode[] {
  const modes = ['exact-in', 'exact-out'] as const
  return modes.filter((mode) => Conversion.explain([hop], { mode, amountInRaw, amountOutRaw }).isExact)
}

/** The oracle answers of one side of the pool that may have applied to the trade. */
type Answers = {
  /** The positive answers before and after the block, without repetition. */
  readonly ends: readonly bigint[]
  /**
   * The answer by the position of the trade among the updates; undefined if the updates do not explain the answer after
   * the block.
   */
  readonly positioned: bigint | undefined
}

function findAnswers(
  trade: Trade,
  token: Trade['tokenIn'],
  { before, after, updates }: findTradePrices.States,
): Answers {
  const [from, to] = [priceOf(before, token), priceOf(after, token)]
  const ends = [...new Set([from.answer, to.answer])].filter((answer) => answer > 0n)
  if (from.oracle !== to.oracle) return { ends, positioned: undefined }
  const ofOracle = updates.filter(({ oracle }) => oracle === to.oracle)
  const last = ofOracle.at(-1)
  if (!last) return { ends, positioned: from.answer === to.answer ? to.answer : undefined }
  const earlier = ofOracle.findLast(({ logIndex }) => logIndex < trade.logIndex)
  const scale = findScale(last.answer, to.answer)
  const positioned = earlier ? scale?.(earlier.answer) : from.answer
  return { ends, positioned: scale && positioned !== undefined && positioned > 0n ? positioned : undefined }
}

function priceOf({ base, quote }: Pool.Pool, token: Trade['tokenIn']) {
  return (base.token.address === token ? base : quote).price
}

function findPositioned([input, output]: readonly [Answers, Answers]): readonly [bigint, bigint] | undefined {
  if (input.positioned === undefined || output.positioned === undefined) return undefined
  return [input.positioned, output.positioned]
}

function combine([input, output]: readonly [Answers, Answers]): readonly (readonly [bigint, bigint])[] {
  return input.ends.flatMap((tokenIn) => output.ends.map((tokenOut) => [tokenIn, tokenOut] as const))
}

// The reader returns every answer with 8 decimals. An event has the decimals of its oracle.
const answerDecimals = 8
const maxOracleDecimals = 60

/**
 * Returns the conversion of an oracle's raw answers to 8 decimals, derived from one answer in both forms.
 */
function findScale(oracleAnswer: bigint, readerAnswer: bigint): ((answer: bigint) => bigint) | undefined {
  if (readerAnswer <= 0n) return undefined
  for (let decimals = 0; decimals <= maxOracleDecimals; decimals++) {
    if (toAnswerDecimals(oracleAnswer, decimals) === readerAnswer) return (answer) => toAnswerDecimals(answer, decimals)
  }
  return undefined
}

function toAnswerDecimals(answer: bigint, decimals: number): bigint {
  if (decimals > answerDecimals) return answer / 10n ** BigInt(decimals - answerDecimals)
  return answer * 10n ** BigInt(answerDecimals - decimals)
}

/** A new answer of an oracle. */
export type PriceUpdate = {
  readonly oracle: Address
  /** In the decimals of the oracle. */
  readonly answer: bigint
  /** The position of the event among all events of the block. */
  readonly logIndex: number
}

// The event of Chainlink and of the oracles of test networks.
const abi = parseAbi(['event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)'])

/**
 * Reads the updates of oracles in a block, in their order. They include oracles that belong to no pool.
 *
 * @throws `svc/upstream-*`, also for a block with more than 2,000 updates
 */
export async function readPriceUpdates({ client }: Rpc, blockHash: Hex): Promise<readonly PriceUpdate[]> {
  const topics = encodeEventTopics({ abi, eventName: 'AnswerUpdated' }) as [Hex]
  const filter = { blockHash, topics }
  try {
    const logs = await client.request({ method: 'eth_getLogs', params: [filter] })
    return parseLogs({ abi, eventName: 'AnswerUpdated' }, logs)
      .map(({ args, ...log }) => {
        const { address, logIndex } = toTransactionLog(log)
        return { oracle: getAddress(address), answer: args.current, logIndex }
      })
      .toSorted((a, b) => a.logIndex - b.logIndex)
  } catch (error) {
    throw toUpstreamError(error)
  }
}
