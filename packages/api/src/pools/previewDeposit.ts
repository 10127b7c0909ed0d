import { Amount } from '@agio/core'
import { z } from 'zod'
import { getPool, getFreshSnapshot } from './snapshot.ts'
import { address, addressOut, amount, amountOut, chainIdOrDefault, decimal } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { formatShare, liquidityPreview, toLiquidityPreview } from './liquidityPreview.ts'

/** Returns the amounts that a deposit into a pool takes and the LP tokens that it mints at the newest block. */
export const previewDeposit = procedure
  .meta({
    scope: 'read',
    openapi: rest('POST /api/v1/liquidity/deposit/preview', 'Liquidity', {
      operationId: 'previewDeposit',
      summary: 'Preview a deposit into a pool',
      description:
        "Returns the result of the pool's own view at the newest block. A deposit takes both tokens in the proportion of the reserves, independent of prices. Only the first deposit into an empty pool takes the tokens at their prices. The preview fails if the pool would refuse the deposit: while the pool is frozen or in an emergency, above its cap, or if the deposit is too small. Limits per depositor are not checked.",
    }),
    errors: [
      'svc/pool-not-found',
      'svc/stale-price',
      'svc/reference-depegged',
      'svc/above-max-origin',
      'svc/amount-too-small',
      'svc/pool-frozen',
      'svc/reverted',
    ],
  })
  .input(
    z.strictObject({
      chainId: chainIdOrDefault,
      poolAddress: address.meta({ description: 'Address of the pool', example: localExamples.pool }),
      value: amount.describe('Value of both tokens together in US dollars, with at most 18 fractional digits'),
    }),
  )
  .output(
    z
      .object({
        poolAddress: addressOut.meta({ description: 'Address of the pool', example: localExamples.pool }),
        value: amountOut.describe('Value to deposit, as requested'),
        lpAmount: decimal.meta({
          description: 'LP tokens that the deposit mints, with 18 fractional digits',
          example: '1000.000000000000000000',
        }),
        ...liquidityPreview.shape,
        shareOfPool: liquidityPreview.shape.shareOfPool.meta({ example: '0.04997501%' }),
      })
      .meta({ id: 'DepositPreview', description: 'The result of a deposit if it were mined in the newest block' }),
  )
  .query(async ({ ctx, input: { chainId, poolAddress, value } }) => {
    const chain = getChain(ctx, chainId)
    const snapshot = await getFreshSnapshot(chain, ctx.now())
    const pool = getPool(snapshot, poolAddress)
    const valueRaw = Amount.parse(value, 18, 'value')
    const { lpAmountRaw, ...amounts } = await chain.liquidity.viewDeposit(snapshot, { pool, valueRaw })
    return {
      poolAddress: pool.address,
      value,
      lpAmount: Amount.format(lpAmountRaw, 18),
      ...toLiquidityPreview(pool, amounts, snapshot),
      shareOfPool: formatShare(lpAmountRaw, pool.totalSupply + lpAmountRaw),
    }
  })
