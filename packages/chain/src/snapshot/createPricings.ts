import type { Address, Curve, Pool } from '@agio/core'
import type { Hex } from 'viem'
import type { Probe, Reader } from '../reader/createReader.ts'
import type { RawCurveState, RawPoolState } from '../reader/decodeResult.ts'
import { chooseProbe, withoutProbe } from './chooseProbe.ts'
import { probePools, type ProbedBlock } from './probePools.ts'
import type { PoolReading } from './readPoolStates.ts'
import { toPoolState, type PricingTerms } from './toPoolState.ts'
import { verifyProbe, type Verdict } from './verifyProbe.ts'

/**
 * Determines how each pool is priced, and proves at each block that we compute the pool's curve correctly.
 *
 * A ladder of a pool's own views is compared with our maths and with the curve of its family. This happens once for each
 * pair of code and parameters. A pool that is priced by its curve is probed at every later block. If its view disagrees,
 * the pool is priced by its views until the process ends.
 */
export function createPricings({ reader, toPool, onDisproven }: createPricings.Dependencies): Pricings {
  const decided = new Map<string, Pool.Pricing>()
  const disproven = new Map<string, Address>()
  const newest = new Map<Address, { readonly isProbed: boolean; readonly pool: Pool.Pool }>()

  const findPricing = (raw: RawPoolState) => (disproven.has(codeOf(raw)) ? 'on-chain' : decided.get(keyOf(raw)))

  function disprove(raw: RawPoolState): void {
    if (disproven.has(codeOf(raw))) return
    disproven.set(codeOf(raw), raw.pool)
    onDisproven(raw.pool)
  }
  async function decide(readings: readonly PoolReading[], block: ProbedBlock): Promise<void> {
    const undecided = readings.filter(({ raw }) => findPricing(raw) === undefined)
    if (undecided.length === 0) return
    const subjects = undecided.map((reading) => {
      const { raw, curve } = reading
      // The view in the comparison enforces the pool's own maximum ages.
      const pool = toPoolState(reading, {
        pricing: 'on-chain',
        toFeedTerms: ({ maxAge }) => ({ maxAgeSeconds: maxAge }),
      })
      return { pool, isPenaltyFree: !hasPenalty(raw), curve: toCurveState(raw, curve) }
    })
    const pricings = await probePools(reader, subjects, block)
    for (const { raw, curve } of undecided) {
      const pricing = pricings.get(raw.pool)
      // Without a probe, it is unknown whether the curve fits the pool.
      if (pricing === 'on-chain' && curve?.amount === 0n) continue
      if (pricing) decided.set(keyOf(raw), pricing)
      if (pricing === 'on-chain' && curve?.isReadable) disprove(raw)
    }
  }
  function priceOne(reading: PoolReading, onDisagreement: (raw: RawPoolState) => void): Pool.Pool {
    const { raw } = reading
    const curve = toCurveState(raw, reading.curve)
    const verdict = curve && reading.curve && judge(curve, reading.curve)
    const isGloballyFrozen = verdict === 'frozen'
    const pricing = findPricing(raw) ?? 'on-chain'
    if (pricing !== 'curve') return toPool(reading, { pricing, isGloballyFrozen })
    if (verdict === 'disagrees') onDisagreement(raw)
    // Without a readable price, the curve cannot be computed.
    const isProven = verdict === 'agrees' || verdict === 'frozen'
    return toPool(reading, isProven ? { pricing: 'curve', curve, isGloballyFrozen } : { pricing: 'on-chain' })
  }
  return {
    listDisproven: () => [...new Set(disproven.values())],
    toProbe(pool, blockHash) {
      const last = newest.get(pool)
      return last?.isProbed === false ? withoutProbe(pool) : chooseProbe(pool, blockHash, last?.pool)
    },
    async price(readings, block) {
      await decide(readings, block)
      return readings.map((reading) => priceOne(reading, ignore))
    },
    async priceNewest(readings, block) {
      await decide(readings, block)
      return readings.map((reading) => {
        const pool = priceOne(reading, disprove)
        const pricing = findPricing(reading.raw)
        newest.set(pool.address, { pool, isProbed: pricing === undefined || pricing === 'curve' })
        return pool
      })
    },
  }
}

export declare namespace createPricings {
  type Dependencies = {
    readonly reader: Pick<Reader, 'aggregate'>
    readonly toPool: (reading: PoolReading, terms: PricingTerms) => Pool.Pool
    /** Called once for a pool whose view disagrees with the curve that it returns. */
    readonly onDisproven: (pool: Address) => void
  }
}

/** Determines and verifies how each pool is priced. */
export type Pricings = {
  /** Returns the probe of a pool at a block, or an empty probe for a pool that its curve does not price. */
  toProbe(pool: Address, blockHash: Hex): Probe
  /**
   * Prices the pools of an earlier block, after a comparison of new pools with our maths. A probe that disagrees affects
   * only that block.
   */
  price(readings: readonly PoolReading[], block: ProbedBlock): Promise<readonly Pool.Pool[]>
  /** Prices the pools of the newest block. A pool whose probe disagrees is disproven. */
  priceNewest(readings: readonly PoolReading[], block: ProbedBlock): Promise<readonly Pool.Pool[]>
  /** Lists the pools whose views differ from the curve that they return. */
  listDisproven(): readonly Address[]
}

function judge(curve: Curve.Curve, { paysBase, amount, isPaid, data }: RawCurveState): Verdict {
  return verifyProbe(curve, { inputIndex: paysBase ? 0 : 1, amountRaw: amount }, { success: isPaid, data })
}

function hasPenalty({ beta, delta, lambda }: RawPoolState): boolean {
  return beta + delta + lambda > 0n
}

// A pool's code and parameters determine whether our maths fits it.
function keyOf(raw: RawPoolState): string {
  return [codeOf(raw), raw.alpha, raw.beta, raw.delta, raw.epsilon, raw.lambda].join()
}

// If the code of a pool computes another curve, it does so with any parameters.
function codeOf({ pool, codeHash }: RawPoolState): string {
  return `${pool},${codeHash}`
}

function ignore(): void {}

/** Returns the curve of a pool of the family; undefined if the pool does not return it, or returns invalid values. */
function toCurveState(raw: RawPoolState, curve: RawCurveState | undefined): Curve.Curve | undefined {
  if (!curve?.isReadable) return undefined
  const { alpha, beta, delta, epsilon, lambda, baseRate, quoteRate } = curve
  const parameters = { alpha, beta, delta, epsilon, lambda }
  if (!Object.values(parameters).every(isInt128)) return undefined
  if (![baseRate, quoteRate].every(hasPlausibleDecimals)) return undefined
  return { ...parameters, sides: [toSide(raw.baseReserve, baseRate), toSide(raw.quoteReserve, quoteRate)] }
}

type RawRate = RawCurveState['baseRate']

function toSide(balanceRaw: bigint, { rate, oracleDecimals, tokenDecimals }: RawRate): Curve.Side {
  return { balanceRaw, answer: rate, oracleDecimals: Number(oracleDecimals), tokenDecimals: Number(tokenDecimals) }
}

function isInt128(value: bigint): boolean {
  return BigInt.asIntN(128, value) === value
}

// A larger power of ten would not fit a word.
const maxDecimals = 77n

function hasPlausibleDecimals({ oracleDecimals, tokenDecimals }: RawRate): boolean {
  return oracleDecimals <= maxDecimals && tokenDecimals <= maxDecimals
}
