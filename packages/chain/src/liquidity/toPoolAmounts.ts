import { Errors } from '@agio/core'

/** Raw units of a pool's two tokens. */
export type PoolAmounts = { readonly baseRaw: bigint; readonly quoteRaw: bigint }

/**
 * Returns the amounts that a pool returned, by token.
 *
 * @throws `svc/upstream-error` unless there are two amounts: another number shows that the contract is another kind of
 * pool
 */
export function toPoolAmounts(amounts: readonly bigint[]): PoolAmounts {
  const [baseRaw, quoteRaw, ...others] = amounts
  if (baseRaw !== undefined && quoteRaw !== undefined && others.length === 0) return { baseRaw, quoteRaw }
  throw Errors.upstreamError({
    action: "read the pool's amounts",
    reason: `it returns ${amounts.length} instead of two`,
  })
}
