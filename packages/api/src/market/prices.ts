import { Timestamp, type Pool } from '@agio/core'
import { z } from 'zod'
import { addressOut, blockNumber, blockTimestamp, chainIdInUrlOrDefault, chainIdOut } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { priceResponse, toPriceResponse } from './priceResponse.ts'

const price = priceResponse
  .extend({
    address: addressOut.meta({ description: 'Address of the token', example: localExamples.tAUD }),
    oracle: addressOut.nullable().meta({
      description: 'Address of the oracle. Null for the reference dollar, whose price is fixed',
      example: localExamples.oracle,
    }),
  })
  .meta({ id: 'OraclePrice', description: 'The price of a token' })

const tokenPrice = price
  .extend({ symbol: z.string().meta({ description: 'Symbol of the token', example: 'tAUD' }) })
  .meta({ id: 'TokenPrice', description: 'The price of a token, with its symbol' })

const pricesExample = {
  tUSD: {
    address: localExamples.tUSD,
    usd: '1.00',
    lastUpdate: '2026-11-21T05:00:00.000Z',
    maxAgeSeconds: null,
    stale: false,
    oracle: null,
  },
  tAUD: {
    address: localExamples.tAUD,
    usd: '0.65120000',
    lastUpdate: '2026-11-21T05:00:00.000Z',
    maxAgeSeconds: 3600,
    stale: false,
    oracle: localExamples.oracle,
  },
}

/** The response of `oracle.prices`. */
export const pricesResponse = z
  .object({
    chainId: chainIdOut,
    chainName: z.string().meta({ description: 'Name of the network', example: 'Base Sepolia' }),
    prices: z.record(z.string(), price).meta({
      description: 'Prices by token symbol. Of several tokens with one symbol, it has one: `tokens` has all',
      example: pricesExample,
    }),
    tokens: z.array(tokenPrice).meta({
      description: 'Prices of all tokens, in the order of the pools',
      example: Object.entries(pricesExample).map(([symbol, priced]) => ({ symbol, ...priced })),
    }),
    timestamp: blockTimestamp,
    blockNumber,
  })
  .meta({ id: 'OraclePrices', description: 'The prices of all tokens at a block' })

/** Returns the oracle price of each token. */
export const prices = procedure
  .meta({
    scope: 'read',
    openapi: rest('GET /api/v1/oracle/prices/{chainId}', 'Oracle', {
      operationId: 'getOraclePrices',
      summary: 'Get the oracle prices of all tokens',
      description: 'Returns the prices at which the pools convert, at the newest block.',
    }),
  })
  .input(z.strictObject({ chainId: chainIdInUrlOrDefault }).prefault({}))
  .output(pricesResponse)
  .query(async ({ ctx, input: { chainId } }) => {
    const chain = getChain(ctx, chainId)
    const { pools, block } = await chain.pools.getSnapshot()
    // If two pools price a token differently, the price of an oracle wins over a fixed one.
    const sides = pools.flatMap(({ base, quote }) => [base, quote]).sort((a, b) => rank(a) - rank(b))
    const byAddress = new Map(sides.map((side) => [side.token.address, toPrice(side, block.timestampSeconds)]))
    const tokens = [...new Map(sides.map(({ token }) => [token.address, token.symbol]))].map(([address, symbol]) => ({
      symbol,
      ...(byAddress.get(address) as z.output<typeof price>),
    }))
    return {
      chainId,
      chainName: chain.name,
      prices: Object.fromEntries(tokens.map(({ symbol, ...priced }) => [symbol, priced])),
      tokens,
      timestamp: Timestamp.fromSeconds(block.timestampSeconds),
      blockNumber: Number(block.number),
    }
  })

function rank({ price: { oracle } }: Pool.Side): number {
  return oracle === null ? 0 : 1
}

function toPrice({ token, price: read }: Pool.Side, nowSeconds: bigint): z.output<typeof price> {
  return { address: token.address, oracle: read.oracle, ...toPriceResponse(read, nowSeconds) }
}
