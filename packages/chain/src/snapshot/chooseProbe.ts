import { FixedPoint, type Address, type Pool } from '@agio/core'
import { concat, hexToBigInt, keccak256, slice, type Hex } from 'viem'
import type { Probe } from '../reader/createReader.ts'

const wad = 10n ** 18n

/** Returns an empty probe, which only reads the pool. */
export function withoutProbe(pool: Address): Probe {
  return { pool, paysBase: true, share: 0n }
}

/**
 * Chooses the view of a pool that proves its curve at a block, in either direction. In a quarter of all blocks the
 * input is within the flat zone. In half of all blocks it is between this zone and the halt. In the last quarter it is
 * beyond the halt, and the refusals are compared. Two variants of the arithmetic may agree at one amount and differ at
 * another amount.
 *
 * @param last the pool at an earlier block, which is used to estimate the zones
 */
export function chooseProbe(pool: Address, blockHash: Hex, last: Pool.Pool | undefined): Probe {
  const seed = keccak256(concat([blockHash, pool]))
  const [direction, zone] = [Number(slice(seed, 0, 1)), Number(slice(seed, 1, 2)) % 4]
  const paysBase = direction % 2 === 0
  const part = (hexToBigInt(slice(seed, 2, 10)) * wad) >> 64n
  const [flat, halt] = (last && findZones(last, paysBase)) ?? unknownZones
  if (zone === 0) return { pool, paysBase, share: toShare(0n, flat, part) }
  if (zone === 3) return { pool, paysBase, share: toShare(halt, (halt * 3n) / 2n, part) }
  return { pool, paysBase, share: toShare(flat, halt, part) }
}

/** The ends of the flat zone and of the halts, as shares of the balance of the input token, scaled by 1e18. */
type Zones = readonly [flat: bigint, halt: bigint]

// The zones of a balanced pool with the parameters that the family deploys with.
const unknownZones: Zones = [(wad * 35n) / 100n, wad / 2n]

function findZones({ base, quote, curve }: Pool.Pool, paysBase: boolean): Zones | undefined {
  const [baseValue, quoteValue] = [base, quote].map(({ reserve, price, token }) => {
    return (reserve * price.answer * wad) / 10n ** BigInt(token.decimals)
  }) as [bigint, bigint]
  const [inputValue, totalValue] = [paysBase ? baseValue : quoteValue, baseValue + quoteValue]
  if (!curve || inputValue <= 0n) return undefined
  const endOf = (part: bigint) => {
    const end = ((FixedPoint.one + part) * totalValue) / (2n * FixedPoint.one) - inputValue
    return end > 0n ? (end * wad) / inputValue : 0n
  }
  return [endOf(curve.beta), endOf(curve.alpha)]
}

// An absurd price yields a larger share, which might not fit a word.
const maxShare = 1000n * wad

/** Returns a share between two bounds, at least 1: a zero-amount probe would prove nothing. */
function toShare(from: bigint, to: bigint, part: bigint): bigint {
  const share = from + ((to - from) * part) / wad + 1n
  return share < maxShare ? share : maxShare
}
