import { Market, Pool, Timestamp } from '@agio/core'
import { z } from 'zod'
import {
  addressOut,
  blockNumber,
  blockTimestamp,
  chainIdInUrlOrDefault,
  chainIdOut,
  timestamp,
} from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'

const pair = z
  .object({
    name: z.string().meta({ description: 'Symbols of the two tokens', example: 'tEUR/tUSD' }),
    poolAddress: addressOut.meta({ description: 'Address of the pool', example: localExamples.pool }),
    hasHours: z.boolean().meta({
      description:
        'Whether the deployment declares market hours for a price of the pair. Without hours, the market counts as open',
      example: true,
    }),
    isOpen: z.boolean().meta({ description: 'Whether all markets of the pair are open', example: true }),
    nextOpen: timestamp.nullable().meta({
      description:
        'Next time at which the markets open. If they are open now, the time after the next close. Null if not within a year',
      example: '2026-11-22T22:00:00.000Z',
    }),
    nextClose: timestamp.nullable().meta({
      description: 'Next time at which one of the markets closes. Null if not within a year',
      example: '2026-11-27T22:00:00.000Z',
    }),
  })
  .meta({ id: 'MarketHours', description: 'The hours of the markets of a pair' })

/** Returns the market hours of each pair. */
export const hours = procedure
  .meta({
    scope: 'read',
    openapi: rest('GET /api/v1/market/hours', 'Oracle', {
      operationId: 'getMarketHours',
      summary: 'Get the market hours of all pairs',
      description:
        'Returns for each pool whether the markets of its prices are open at the time of the newest block, and when that changes. Foreign exchange markets close at weekends and on holidays. Their prices then do not change, and may become stale.',
    }),
  })
  .input(z.strictObject({ chainId: chainIdInUrlOrDefault }).prefault({}))
  .output(
    z
      .object({
        chainId: chainIdOut,
        pairs: z.array(pair).describe('Hours of each pool'),
        blockNumber,
        blockTimestamp,
      })
      .meta({ id: 'MarketHoursList', description: 'The market hours of all pairs at a block' }),
  )
  .query(async ({ ctx, input: { chainId } }) => {
    const { pools, block } = await getChain(ctx, chainId).pools.getSnapshot()
    return {
      chainId,
      pairs: pools.map((pool) => toPair(pool, Number(block.timestampSeconds))),
      blockNumber: Number(block.number),
      blockTimestamp: Timestamp.fromSeconds(block.timestampSeconds),
    }
  })

const alwaysOpen: Market.Hours = { isOpen: true, nextOpen: undefined, nextClose: undefined }

function toPair(pool: Pool.Pool, atSeconds: number): z.output<typeof pair> {
  const scheduled = Market.findHours(Pool.listSchedules([pool]), atSeconds)
  const { isOpen, nextOpen, nextClose } = scheduled ?? alwaysOpen
  return {
    name: `${pool.base.token.symbol}/${pool.quote.token.symbol}`,
    poolAddress: pool.address,
    hasHours: scheduled !== undefined,
    isOpen,
    nextOpen: toTime(nextOpen),
    nextClose: toTime(nextClose),
  }
}

function toTime(seconds: number | undefined): string | null {
  return seconds === undefined ? null : Timestamp.fromSeconds(BigInt(seconds))
}
