import { Decimal } from '@agio/react/internal'
import type { Pool, TokenReference } from '@agio/sdk'

// Prices have eight fractional digits. Tokens of the networks have at most 24 decimals.
const priceDecimals = 8
const amountDecimals = 24

/** Fractional digits of the values that `valueAmount` returns. */
export const valueDecimals = priceDecimals + amountDecimals

/** Returns the exact value of an amount at a price in US dollars, in units of 10^-32 dollars. */
export function valueAmount(amount: string, usd: string): bigint {
  return Decimal.toRaw(amount, amountDecimals) * Decimal.toRaw(usd, priceDecimals)
}

/** The value of a pool's reserves at oracle prices. */
export type PoolValue = {
  readonly sides: readonly [SideValue, SideValue]
  /** The sum of `valueRaw` of both sides. */
  readonly totalRaw: bigint
}

type SideValue = {
  readonly token: TokenReference
  readonly reserve: string
  /** The price in US dollars. */
  readonly usd: string
  /** The value in units of 10^-32 dollars. */
  readonly valueRaw: bigint
}

/** Returns the exact value of a pool's reserves. */
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
