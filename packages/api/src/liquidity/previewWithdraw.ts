import { Amount, ServiceError, type PoolState } from '@agio/core'
import { z } from 'zod'
import { getPool } from '../pools/getPool.ts'
import { address, addressOut, amount, chainIdOrDefault } from '../schema/fields.ts'
import { getFreshSnapshot } from '../snapshot/getFreshSnapshot.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { formatShare, poolResponse, toPoolResponse } from './poolResponse.ts'

/** Tells what LP tokens are paid by their pool now. */
export const previewWithdraw = procedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/liquidity/withdraw/preview',
      tags: ['Liquidity'],
      summary: 'Preview a withdrawal from a pool',
      description:
        'What the pool itself answers at the newest block: a part of both reserves. It reads no price, and works while the pool is frozen too, unless the pool is not ours.',
    },
    errors: ['svc/pool-not-found', 'svc/pool-frozen', 'svc/reverted'],
  })
  .input(
    z.strictObject({
      chainId: chainIdOrDefault,
      poolAddress: address,
      lpAmount: amount.meta({ description: 'LP tokens, with at most 18 fractional digits; no more than there are' }),
    }),
  )
  .output(
    z.object({ poolAddress: addressOut, lpAmount: z.string(), ...poolResponse.shape }).meta({ id: 'WithdrawPreview' }),
  )
  .query(async ({ ctx, input: { chainId, poolAddress, lpAmount } }) => {
    const chain = getChain(ctx, chainId)
    const snapshot = await getFreshSnapshot(chain, ctx.now())
    const pool = getPool(snapshot, poolAddress)
    const lpAmountRaw = Amount.parse(lpAmount, 18, 'lpAmount')
    assertInSupply(pool, lpAmountRaw, lpAmount)
    const amounts = await chain.viewWithdraw(snapshot, { pool: pool.address, lpAmountRaw })
    return {
      poolAddress: pool.address,
      lpAmount,
      ...toPoolResponse(pool, amounts, snapshot),
      shareOfPool: formatShare(lpAmountRaw, pool.totalSupply),
    }
  })

/** Refuses more than there is before the pool is asked: not every pool of the family says so itself. */
function assertInSupply({ totalSupply }: PoolState, lpAmountRaw: bigint, value: string): void {
  if (lpAmountRaw <= totalSupply) return
  const message = `Cannot withdraw ${value} LP tokens: the pool has issued ${Amount.format(totalSupply, 18)}`
  throw new ServiceError('svc/invalid-request', message, { field: 'lpAmount', value })
}
