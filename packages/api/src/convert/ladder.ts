import type { Ladder } from '@agio/chain'
import {
  Amount,
  Conversion,
  errorCodes,
  Errors,
  Fee,
  Network,
  PricedRoute,
  Rate,
  Timestamp,
  type Token,
} from '@agio/core'
import { z } from 'zod'
import { routeErrors } from '../errors/errorLists.ts'
import {
  address,
  amount,
  blockNumber,
  blockTimestamp,
  chainIdOrDefault,
  decimal,
  routeFeeRate,
} from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { otherTokenExample, tokenReference, toTokenReference } from '../schema/tokens.ts'
import { getFreshSnapshot, getToken, resolveRoute } from '../pools/snapshot.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'

const maxAmounts = 50
const maxSteps = 100

const inputSchema = z.strictObject({
  chainId: chainIdOrDefault,
  poolAddress: address.optional().meta({
    description: 'Pool to convert in. Default: the route of `transaction/build/convert`',
    example: localExamples.pool,
  }),
  tokenIn: address.meta({ description: 'Token to pay', example: localExamples.tAUD }),
  tokenOut: address.meta({ description: 'Token to receive', example: localExamples.tUSD }),
  amounts: z
    .array(amount)
    .min(1)
    .max(maxAmounts)
    .optional()
    .meta({ description: 'Amounts to pay. Required without `steps`', example: ['10', '1000', '100000'] }),
  steps: z.int().min(2).max(maxSteps).optional().meta({
    description:
      'Number of amounts, instead of `amounts`. They are evenly spaced on a logarithmic scale, from the smallest amount that pays anything to the largest',
    example: 5,
  }),
})

const row = z
  .object({
    amountIn: decimal.meta({ description: 'Amount to pay', example: '1000' }),
    amountOut: decimal.optional().describe('Amount received at that block, after all fees'),
    exchangeRate: decimal.optional().meta({ description: '`amountOut` per `amountIn`', example: '0.65087440' }),
    oracleAmountOut: decimal.optional().meta({
      description: "Value of `amountIn` at the oracles' prices, before all fees",
      example: '651.200000',
    }),
    impact: z
      .string()
      .regex(/^-?\d+\.\d{4}%$/)
      .optional()
      .meta({
        description:
          'Amount that the pools pay beyond `oracleAmountOut` less the fees and rounding, in percent of `oracleAmountOut`. Negative if the pools pay less. Zero for our own pools, whose price does not depend on the amount',
        example: '0.0000%',
      }),
    error: z
      .object({
        code: z.enum(errorCodes).meta({ description: 'Code of the error', example: 'svc/above-max-origin' }),
        message: z.string().meta({
          description: 'Description of the error',
          example: 'Cannot convert 900000000.000000 tAUD: the limit is 767813.267813 tAUD',
        }),
      })
      .optional()
      .describe('Why a preview of this amount fails. Absent if it succeeds'),
  })
  .meta({ id: 'LadderRow', description: 'The result of one amount' })

const rowExample = {
  amountIn: '1000',
  amountOut: '650.874400',
  exchangeRate: '0.65087440',
  oracleAmountOut: '651.200000',
  impact: '0.0000%',
}

const outputSchema = z
  .object({
    tokenIn: tokenReference.meta({ description: 'Token to pay', example: otherTokenExample }),
    tokenOut: tokenReference.describe('Token to receive'),
    fee: z.string().meta({ description: 'Fee of the first pool, included in each `amountOut`', example: '0.05%' }),
    routeFeeRate,
    maxAmountIn: z
      .object({
        tokenIn: decimal.optional().meta({ description: 'Largest amount of `tokenIn`', example: '767813.267813' }),
        tokenOut: decimal
          .optional()
          .meta({ description: 'Largest amount of `tokenOut` in a conversion back', example: '500000.000000' }),
      })
      .meta({
        description:
          'Largest amount that converts now, in both directions. For pools that are priced on chain, it is the largest amount for which their views return a result. Absent if a node cannot determine it',
        example: { tokenIn: '767813.267813', tokenOut: '500000.000000' },
      }),
    rows: z.array(row).meta({
      description:
        'Result of each amount: in the order of `amounts`, or ascending for `steps`. Fewer rows than `steps` if fewer different amounts exist. Empty if no amount pays anything',
      example: [rowExample],
    }),
    blockNumber,
    blockTimestamp,
  })
  .meta({ id: 'ConvertLadder', description: 'The results of many amounts at one block' })

/** Previews the conversions of many amounts, all at the newest block. */
export const ladder = procedure
  .meta({
    scope: 'read',
    openapi: rest('POST /api/v1/convert/ladder', 'Convert', {
      operationId: 'previewLadder',
      summary: 'Preview many amounts at one block',
      description:
        'Returns the result of up to 50 `amounts`, or of 2 to 100 `steps` from the smallest useful amount to the largest. Each row equals `convert/preview` at that block. If the preview of an amount fails, its row has the `error`. An error that affects every amount, such as a stale price, is the error of the request. A request counts as one call.',
    }),
    errors: ['svc/pool-not-found', ...routeErrors],
    example: {
      chainId: Network.defaultChainId,
      tokenIn: localExamples.tAUD,
      tokenOut: localExamples.tUSD,
      amounts: ['10', '1000', '100000'],
    },
  })
  .input(inputSchema)
  .output(outputSchema)
  .query(async ({ ctx, input }) => {
    const sizes = chooseSizes(input)
    const chain = getChain(ctx, input.chainId)
    const snapshot = await getFreshSnapshot(chain, ctx.now())
    const route = resolveRoute(chain, snapshot, input)
    const tokens = {
      tokenIn: getToken(snapshot, input.tokenIn, 'tokenIn'),
      tokenOut: getToken(snapshot, input.tokenOut, 'tokenOut'),
    }
    if ('steps' in sizes) return toLadder(await chain.conversions.priceLadder(snapshot, { route, ...sizes }), tokens)
    const amountsInRaw = sizes.amounts.map((text, index) =>
      Amount.parse(text, tokens.tokenIn.decimals, `amounts.${index}`),
    )
    return toLadder(await chain.conversions.priceLadder(snapshot, { route, amountsInRaw }), tokens, sizes.amounts)
  })

type Sizes = { readonly amounts: readonly string[] } | { readonly steps: number }

/** @throws `svc/invalid-request` unless the request has either amounts or steps */
function chooseSizes({ amounts, steps }: Pick<z.output<typeof inputSchema>, 'amounts' | 'steps'>): Sizes {
  if (amounts && steps === undefined) return { amounts }
  if (!amounts && steps !== undefined) return { steps }
  const [field, reason] = amounts
    ? ['steps', 'pass either amounts or steps, not both']
    : ['amounts', 'pass either amounts or steps']
  throw Errors.invalidRequest({ field, value: steps, reason })
}

type Tokens = { readonly tokenIn: Token; readonly tokenOut: Token }

/** @param amounts the requested amounts; undefined for steps */
function toLadder({ route, block, ...ladder }: Ladder, { tokenIn, tokenOut }: Tokens, amounts?: readonly string[]) {
  const hops = PricedRoute.from(route)
  const { maxInRaw, maxBackRaw } = ladder
  return {
    tokenIn: toTokenReference(tokenIn),
    tokenOut: toTokenReference(tokenOut),
    fee: Fee.format(hops[0].epsilon),
    routeFeeRate: Fee.formatRoute(hops),
    maxAmountIn: {
      ...(maxInRaw !== undefined && { tokenIn: Amount.format(maxInRaw, tokenIn.decimals) }),
      ...(maxBackRaw !== undefined && { tokenOut: Amount.format(maxBackRaw, tokenOut.decimals) }),
    },
    rows: ladder.rows.map((row, index) => ({
      amountIn: amounts?.[index] ?? Amount.format(row.amountInRaw, tokenIn.decimals),
      ...toOutcome(row, hops, { tokenIn, tokenOut }),
    })),
    blockNumber: Number(block.number),
    blockTimestamp: Timestamp.fromSeconds(block.timestampSeconds),
  }
}

function toOutcome(
  { amountInRaw, outcome }: Ladder['rows'][number],
  hops: PricedRoute.PricedRoute,
  { tokenIn, tokenOut }: Tokens,
): Omit<z.output<typeof row>, 'amountIn'> {
  if (typeof outcome !== 'bigint') return { error: { code: outcome.code, message: outcome.message } }
  const parts = Conversion.explain(hops, { mode: 'exact-in', amountInRaw, amountOutRaw: outcome })
  const input = { raw: amountInRaw, decimals: tokenIn.decimals }
  return {
    amountOut: Amount.format(outcome, tokenOut.decimals),
    exchangeRate: Rate.format(input, { raw: outcome, decimals: tokenOut.decimals }),
    oracleAmountOut: Amount.format(parts.oracleAmountOutRaw, tokenOut.decimals),
    impact: Conversion.formatImpact(parts),
  }
}
