import { Amount } from '@agio/core'
import { z } from 'zod'
import { getPool } from '../pools/getPool.ts'
import { address, addressOut, amount, chainIdOrDefault, decimal } from '../schema/fields.ts'
import { getFreshSnapshot } from '../snapshot/getFreshSnapshot.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { formatShare, poolResponse, toPoolResponse } from './poolResponse.ts'

/** Tells what a deposit into a pool takes and gives now. */
export const previewDeposit = procedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/liquidity/deposit/preview',
      tags: ['Liquidity'],
      summary: 'Preview a deposit into a pool',
      description:
        'What the pool itself answers at the newest block. A deposit takes both tokens in the proportion that the pool holds, and reads no price; only the first one, into an empty pool, takes them at their prices.',
    },
    errors: ['svc/pool-not-found', 'svc/stale-price', 'svc/amount-too-small', 'svc/pool-frozen', 'svc/reverted'],
  })
  .input(
    z.strictObject({
      chainId: chainIdOrDefault,
      poolAddress: address,
      value: amount.meta({ description: 'Dollars, for both tokens together, with at most 18 fractional digits' }),
    }),
  )
  .output(
    z
      .object({
        poolAddress: addressOut,
        value: z.string(),
        lpAmount: decimal.meta({ description: 'LP tokens that the deposit buys, with 18 fractional digits' }),
        ...poolResponse.shape,
      })
      .meta({ id: 'DepositPreview' }),
  )
  .query(async ({ ctx, input: { chainId, poolAddress, value } }) => {
    const chain = getChain(ctx, chainId)
    const snapshot = await getFreshSnapshot(chain, ctx.now())
    const pool = getPool(snapshot, poolAddress)
    const valueRaw = Amount.parse(value, 18, 'value')
    const { lpAmountRaw, ...amounts } = await chain.viewDeposit(snapshot, { pool: pool.address, valueRaw })
    return {
      poolAddress: pool.address,
      value,
      lpAmount: Amount.format(lpAmountRaw, 18),
      ...toPoolResponse(pool, amounts, snapshot),
      shareOfPool: formatShare(lpAmountRaw, pool.totalSupply + lpAmountRaw),
    }
  })
