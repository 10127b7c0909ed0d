import type { Pool, TokenReference } from '@agio/sdk'
import { toRaw } from '../amount/rawUnits.ts'

// Prices have eight fractional digits. No token of the networks has more than 24.
const priceDecimals = 8
const amountDecimals = 24

/** Fractional digits of a value in US dollars, in the units of `valueAmount`. */
export const valueDecimals = priceDecimals + amountDecimals

/** Returns the value of an amount at a price in US dollars, exactly, in units of 10^-32 dollars. */
export function valueAmount(amount: string, usd: string): bigint {
  return toRaw(amount, amountDecimals) * toRaw(usd, priceDecimals)
}

/** The reserves of a pool at prices of the oracles. */
export type PoolValue = {
  readonly sides: readonly [SideValue, SideValue]
  /** As `valueRaw` of a side. */
  readonly totalRaw: bigint
}

type SideValue = {
  readonly token: TokenReference
  readonly reserve: string
  /** The price in US dollars. */
  readonly usd: string
  /** In units of 10^-32 dollars. */
  readonly valueRaw: bigint
}

/** Values the reserves of a pool, exactly. */
export function valuePool({ token0, token1, reserves }: Reserves, prices: Prices): PoolValue {
  const toSide = (token: TokenReference, reserve: string, { usd }: Price): SideValue => ({
    token,
    reserve,
    usd,
    valueRaw: valueAmount(reserve, usd),
  })
  const sides = [
    toSide(token0, reserves.token0, prices.token0),
    toSide(token1, reserves.token1, prices.token1),
  ] as const
  return { sides, totalRaw: sides[0].valueRaw + sides[1].valueRaw }
}

type Reserves = Pick<Pool, 'token0' | 'token1' | 'reserves'>
type Price = { readonly usd: string }
type Prices = { readonly token0: Price; readonly token1: Price }
