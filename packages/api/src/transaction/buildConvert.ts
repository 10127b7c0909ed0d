import type { BuiltConvert, Quoted } from '@agio/chain'
import { Amount, findConversionRoute, ServiceError, type Token } from '@agio/core'
import { z } from 'zod'
import { account, address, amount, chainIdOrDefault, exact, integerText } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { assertOutsider } from '../snapshot/assertOutsider.ts'
import { getFreshSnapshot } from '../snapshot/getFreshSnapshot.ts'
import { getToken } from '../snapshot/getToken.ts'
import { toUnsignedTransaction, unsignedTransaction } from '../schema/unsignedTransaction.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure, type Meta } from '../trpc/procedure.ts'
import { findIssues, issue } from './findIssues.ts'
import { resolveDeadline } from './resolveDeadline.ts'

// A larger number is a time in milliseconds.
const maxDeadlineSeconds = 100_000_000_000

const deadline = exact(z.int().min(1).max(maxDeadlineSeconds, 'It is not a Unix time in seconds'))

const inputSchema = z.strictObject({
  chainId: chainIdOrDefault,
  userAddress: account.meta({ description: 'Wallet that will sign and pay', example: localExamples.wallet }),
  tokenIn: address.meta({ description: 'Token to pay', example: localExamples.tAUD }),
  tokenOut: address.meta({ description: 'Token to receive', example: localExamples.tUSD }),
  amountIn: amount.meta({ description: 'Amount to pay' }),
  minAmountOut: amount.meta({
    description: 'Smallest amount to receive; `recommendedMinAmountOut` of a preview is a good choice',
    example: '650.548962',
  }),
  deadline: deadline.optional().meta({
    description: 'Last time at which the transaction may be mined, as Unix time in seconds; in five minutes by default',
    example: 4_102_444_800,
  }),
})

const outputSchema = unsignedTransaction
  .extend({
    maxFeePerGas: integerText.meta({ description: 'Recommended maximum fee per gas, in wei', example: '1542026' }),
    maxPriorityFeePerGas: integerText.meta({
      description: 'Recommended maximum priority fee per gas, in wei',
      example: '1000000',
    }),
    gasEstimateSource: z.enum(['estimate-as-if', 'call-as-if', 'estimate', 'upper-bound']).meta({
      description:
        'How `gasLimit` was found: `estimate-as-if` and `call-as-if` assume sufficient balance and allowance, `estimate` uses those of the wallet, `upper-bound` is a fixed limit for nodes that cannot estimate',
      example: 'call-as-if',
    }),
    deadline: z.int().min(1).meta({
      description: 'Last time at which the transaction may be mined, as Unix time in seconds',
      example: 1_795_241_836,
    }),
    issues: z
      .array(issue)
      .meta({ description: 'What would make the conversion fail if it were sent now; empty if nothing would' }),
  })
  .meta({ id: 'UnsignedConvert', description: 'An unsigned conversion' })

/**
 * Defines a procedure that builds an unsigned conversion.
 *
 * @param openapi its REST path: the interface has one more, which is deprecated
 */
export function defineBuildConvert(openapi: NonNullable<Meta['openapi']>) {
  return procedure
    .meta({
      openapi,
      errors: [
        'svc/unsupported-token',
        'svc/stale-price',
        'svc/above-max-origin',
        'svc/below-min-target',
        'svc/amount-too-small',
        'svc/pool-frozen',
        'svc/no-route',
        'svc/deadline-passed',
        'svc/reverted',
      ],
    })
    .input(inputSchema)
    .output(outputSchema)
    .query(async ({ ctx, input }) => {
      const chain = getChain(ctx, input.chainId)
      const snapshot = await getFreshSnapshot(chain, ctx.now())
      assertOutsider(chain, input.userAddress, 'userAddress')
      const [tokenIn, tokenOut] = [
        getToken(snapshot, input.tokenIn, 'tokenIn'),
        getToken(snapshot, input.tokenOut, 'tokenOut'),
      ]
      const amountInRaw = Amount.parse(input.amountIn, tokenIn.decimals, 'amountIn')
      const minAmountOutRaw = Amount.parse(input.minAmountOut, tokenOut.decimals, 'minAmountOut')
      const route = findConversionRoute(snapshot.pools, { ...input, referenceToken: chain.deployment.referenceToken })
      const deadlineSeconds = resolveDeadline(input.deadline, snapshot.block.timestampSeconds, ctx.now())
      assertAboveMin(await chain.quote(snapshot, { route, amountInRaw }), minAmountOutRaw, tokenOut)
      const swap = { mode: 'exact-in', amountInRaw, minAmountOutRaw, deadlineSeconds } as const
      const built = await chain.buildConvert({ userAddress: input.userAddress, tokenIn, tokenOut, ...swap })
      const needs = { token: tokenIn, amountInRaw, gasWei: built.gasLimit * built.maxFeePerGas }
      return {
        ...toUnsignedTransaction(built, input.chainId),
        ...toGasTerms(built),
        deadline: Number(deadlineSeconds),
        issues: findIssues(needs, built.account),
      }
    })
}

function toGasTerms({ maxFeePerGas, maxPriorityFeePerGas, gasEstimateSource }: BuiltConvert) {
  return {
    maxFeePerGas: maxFeePerGas.toString(),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
    gasEstimateSource,
  }
}

/** Builds an unsigned conversion. */
export const buildConvert = defineBuildConvert({
  method: 'POST',
  path: '/api/v1/transaction/build/convert',
  operationId: 'buildConversion',
  tags: ['Transaction'],
  summary: 'Build an unsigned conversion',
  description:
    'Returns a conversion for the wallet to sign. It takes the direct pool of the two tokens, else two pools through the reference dollar. A conversion that the pool would refuse is an error; a missing allowance, token balance or gas balance of the wallet is listed in `issues`.',
})

/** @throws `svc/below-min-target` if the conversion may pay less than the minimum, which is never lowered */
function assertAboveMin({ amountOutRaw, worstCaseOutRaw }: Quoted, minRaw: bigint, { decimals, symbol }: Token): void {
  if (worstCaseOutRaw >= minRaw) return
  const [amountOut, minAmountOut] = [Amount.format(worstCaseOutRaw, decimals), Amount.format(minRaw, decimals)]
  const is = worstCaseOutRaw < amountOutRaw ? 'may be only' : 'is'
  throw new ServiceError(
    'svc/below-min-target',
    `Cannot convert: the output ${is} ${amountOut} ${symbol} now, less than the requested ${minAmountOut} ${symbol}`,
    { amountOut, minAmountOut },
  )
}
