import { ServiceError } from '@agio/core'

/** Raw units of a pool's two tokens. */
export type PoolAmounts = { readonly baseRaw: bigint; readonly quoteRaw: bigint }

/** Names the amounts that a pool lists. @throws `svc/upstream-error` if there are not two: the pool is none of the family */
export function toPoolAmounts(amounts: readonly bigint[]): PoolAmounts {
  const [baseRaw, quoteRaw, ...others] = amounts
  if (baseRaw !== undefined && quoteRaw !== undefined && others.length === 0) return { baseRaw, quoteRaw }
  throw new ServiceError(
    'svc/upstream-error',
    `Cannot read the pool's amounts: it lists ${amounts.length}, and a pool of the family holds two tokens`,
    {},
  )
}
