import { Amount, Errors, type Pool } from '@agio/core'
import { z } from 'zod'
import { getPool, getFreshSnapshot } from './snapshot.ts'
import { address, addressOut, amount, amountOut, chainIdOrDefault } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { formatShare, liquidityPreview, toLiquidityPreview } from './liquidityPreview.ts'

/** Returns what a pool pays for LP tokens at the newest block. */
export const previewWithdraw = procedure
  .meta({
    scope: 'read',
    openapi: rest('POST /api/v1/liquidity/withdraw/preview', 'Liquidity', {
      operationId: 'previewWithdrawal',
      summary: 'Preview a withdrawal from a pool',
      description:
        "Returns the result of the pool's own view at the newest block: a share of both reserves, independent of prices. Pools deployed by Agio allow withdrawals while they are frozen. The preview fails for a pool in an emergency, and for a frozen pool whose view reverts.",
    }),
    errors: ['svc/pool-not-found', 'svc/pool-frozen', 'svc/reverted'],
  })
  .input(
    z.strictObject({
      chainId: chainIdOrDefault,
      poolAddress: address.meta({ description: 'Address of the pool', example: localExamples.pool }),
      lpAmount: amount.describe('LP tokens to burn, at most the total supply, with at most 18 fractional digits'),
    }),
  )
  .output(
    z
      .object({
        poolAddress: addressOut.meta({ description: 'Address of the pool', example: localExamples.pool }),
        lpAmount: amountOut.describe('LP tokens to burn, as requested'),
        ...liquidityPreview.shape,
      })
      .meta({ id: 'WithdrawPreview', description: 'The result of a withdrawal if it were mined in the newest block' }),
  )
  .query(async ({ ctx, input: { chainId, poolAddress, lpAmount } }) => {
    const chain = getChain(ctx, chainId)
    const snapshot = await getFreshSnapshot(chain, ctx.now())
    const pool = getPool(snapshot, poolAddress)
    const lpAmountRaw = Amount.parse(lpAmount, 18, 'lpAmount')
    assertInSupply(pool, lpAmountRaw, lpAmount)
    const amounts = await chain.liquidity.viewWithdraw(snapshot, { pool, lpAmountRaw })
    return {
      poolAddress: pool.address,
      lpAmount,
      ...toLiquidityPreview(pool, amounts, snapshot),
      shareOfPool: formatShare(lpAmountRaw, pool.totalSupply),
    }
  })

/**
 * Asserts that the pool has issued this many LP tokens, because some pools do not check it.
 *
 * @throws `svc/invalid-request`
 */
function assertInSupply({ totalSupply }: Pool.Pool, lpAmountRaw: bigint, value: string): void {
  if (lpAmountRaw <= totalSupply) return
  const reason = `the pool has issued ${Amount.format(totalSupply, 18)}`
  throw Errors.invalidRequest({ field: 'lpAmount', value, action: `withdraw ${value} LP tokens`, reason })
}
