import { explainConversion, toHop, toHopPricing, type ConversionMode, type PoolState, type PricedHop } from '@agio/core'
import type { Trade } from './listConversions.ts'
import type { PriceUpdate } from './readPriceUpdates.ts'

/**
 * Finds the prices that a trade was executed at: those before the block, those after it, or those set in between.
 *
 * Where the updates of an oracle account for the difference between both states of the pool, the last one before the trade
 * decides. Otherwise it is decided by the one combination of prices before and after at which our maths gives the amounts of
 * the trade, if the pool is priced locally.
 *
 * @returns undefined if nothing decides
 */
export function findTradePrices(trade: Trade, states: findTradePrices.States): PricedHop | undefined {
  const { after } = states
  const sides = [findAnswers(trade, trade.tokenIn, states), findAnswers(trade, trade.tokenOut, states)] as const
  const toPricedHop = ([tokenInAnswer, tokenOutAnswer]: readonly [bigint, bigint]): PricedHop => {
    const { origin, target } = toHop(after, trade.tokenIn, trade.tokenOut)
    const [decimalsIn, decimalsOut] = [origin.token.decimals, target.token.decimals]
    const pricing = toHopPricing(after)
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
    /** The pool of the trade at the end of the block before. */
    readonly before: PoolState
    /** The pool at the end of the trade's block. */
    readonly after: PoolState
    /** The updates of the oracles in the trade's block, in their order. */
    readonly updates: readonly PriceUpdate[]
  }
}

/** Lists the modes in which our maths gives the amounts of a trade at these prices; none for a pool priced on chain. */
export function findModes(
  hop: PricedHop,
  { amountInRaw, amountOutRaw }: Pick<Trade, 'amountInRaw' | 'amountOutRaw'>,
): readonly ConversionMode[] {
  const modes = ['exact-in', 'exact-out'] as const
  return modes.filter((mode) => explainConversion([hop], { mode, amountInRaw, amountOutRaw }).isExact)
}

/** The answers of one side of the pool that may have been in effect for the trade. */
type Answers = {
  /** The positive ones before and after the block, without repetition. */
  readonly ends: readonly bigint[]
  /** The one by the position of the trade among the updates; undefined if these do not account for the end of the block. */
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

function priceOf({ base, quote }: PoolState, token: Trade['tokenIn']) {
  return (base.token.address === token ? base : quote).price
}

function findPositioned([input, output]: readonly [Answers, Answers]): readonly [bigint, bigint] | undefined {
  if (input.positioned === undefined || output.positioned === undefined) return undefined
  return [input.positioned, output.positioned]
}

function combine([input, output]: readonly [Answers, Answers]): readonly (readonly [bigint, bigint])[] {
  return input.ends.flatMap((tokenIn) => output.ends.map((tokenOut) => [tokenIn, tokenOut] as const))
}

// The reader gives every answer with 8 decimals; an event has those of its oracle.
const answerDecimals = 8
const maxOracleDecimals = 60

/** The conversion of an oracle's own answers to 8 decimals, found by one of which both forms are known. */
function findScale(own: bigint, scaled: bigint): ((answer: bigint) => bigint) | undefined {
  if (scaled <= 0n) return undefined
  for (let decimals = 0; decimals <= maxOracleDecimals; decimals++) {
    if (toAnswerDecimals(own, decimals) === scaled) return (answer) => toAnswerDecimals(answer, decimals)
  }
  return undefined
}

function toAnswerDecimals(answer: bigint, decimals: number): bigint {
  if (decimals > answerDecimals) return answer / 10n ** BigInt(decimals - answerDecimals)
  return answer * 10n ** BigInt(answerDecimals - decimals)
}
