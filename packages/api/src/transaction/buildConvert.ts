import type { Chain, Quoted } from '@agio/chain'
import { Amount, findConversionRoute, ServiceError, type Address, type Token } from '@agio/core'
import { z } from 'zod'
import { account, address, amount, chainIdOrDefault, exact, integerText } from '../schema/fields.ts'
import { getFreshSnapshot } from '../snapshot/getFreshSnapshot.ts'
import { getToken } from '../snapshot/getToken.ts'
import { toUnsignedTransaction, unsignedTransaction } from '../schema/unsignedTransaction.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure, type Meta } from '../trpc/procedure.ts'
import { findIssues, issue } from './findIssues.ts'
import { resolveDeadline } from './resolveDeadline.ts'

// Above this a number of seconds is one of milliseconds.
const maxDeadlineSeconds = 100_000_000_000

const deadline = exact(z.int().min(1).max(maxDeadlineSeconds, 'It is not a Unix time in seconds'))

const inputSchema = z.strictObject({
  chainId: chainIdOrDefault,
  userAddress: account,
  tokenIn: address,
  tokenOut: address,
  amountIn: amount,
  minAmountOut: amount,
  deadline: deadline.optional().meta({ description: 'Unix time in seconds; five minutes from now by default' }),
})

const outputSchema = unsignedTransaction
  .extend({
    maxFeePerGas: integerText.meta({ description: 'Wei' }),
    maxPriorityFeePerGas: integerText.meta({ description: 'Wei' }),
    gasEstimateSource: z.enum(['estimate-as-if', 'call-as-if', 'estimate', 'upper-bound']).meta({
      description:
        'How gasLimit was found; as-if means with balance and allowance in place, and upper-bound that it could not be found',
    }),
    deadline: z.int(),
    issues: z.array(issue),
  })
  .meta({ id: 'UnsignedConvert' })

/**
 * Builds an unsigned conversion.
 *
 * @param openapi where it is found over REST: the interface has it at more than one path
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
      assertOutsider(chain, input.userAddress)
      const [tokenIn, tokenOut] = [
        getToken(snapshot, input.tokenIn, 'tokenIn'),
        getToken(snapshot, input.tokenOut, 'tokenOut'),
      ]
      const amountInRaw = Amount.parse(input.amountIn, tokenIn.decimals, 'amountIn')
      const minAmountOutRaw = Amount.parse(input.minAmountOut, tokenOut.decimals, 'minAmountOut')
      const route = findConversionRoute(snapshot.pools, { ...input, referenceToken: chain.deployment.referenceToken })
      const deadlineSeconds = resolveDeadline(input.deadline, snapshot.block.timestampSeconds, ctx.now())
      assertAboveMin(await chain.quote(snapshot, { route, amountInRaw }), minAmountOutRaw, tokenOut)
      const built = await chain.buildConvert({
        userAddress: input.userAddress,
        tokenIn,
        tokenOut,
        amountInRaw,
        minAmountOutRaw,
        deadlineSeconds,
      })
      const needs = { token: tokenIn, amountInRaw, gasWei: built.gasLimit * built.maxFeePerGas }
      return {
        ...toUnsignedTransaction(built, input.chainId),
        maxFeePerGas: built.maxFeePerGas.toString(),
        maxPriorityFeePerGas: built.maxPriorityFeePerGas.toString(),
        gasEstimateSource: built.gasEstimateSource,
        deadline: Number(deadlineSeconds),
        issues: findIssues(needs, built.account),
      }
    })
}

/** Builds an unsigned conversion. */
export const buildConvert = defineBuildConvert({
  method: 'POST',
  path: '/api/v1/transaction/build/convert',
  tags: ['Transaction'],
  summary: 'Build an unsigned conversion',
  description:
    'Takes the direct pool if there is one, else the way through the dollar. What the pool would refuse is an error; what the wallet still lacks is listed in `issues`.',
})

/** Refuses a contract of the deployment as the wallet: it signs nothing. */
function assertOutsider({ deployment, getTokens }: Chain, userAddress: Address): void {
  const { router, faucet, pools } = deployment
  if (![router, faucet, ...pools, ...getTokens().keys()].includes(userAddress)) return
  const message = `Cannot build the conversion: ${userAddress} is a contract of this network, not a wallet`
  throw new ServiceError('svc/invalid-address', message, { field: 'userAddress', value: userAddress })
}

/** Refuses a minimum that the conversion may miss: it is the wallet's own, and is never lowered for it. */
function assertAboveMin({ amountOutRaw, worstCaseOutRaw }: Quoted, minRaw: bigint, { decimals, symbol }: Token): void {
  if (worstCaseOutRaw >= minRaw) return
  const [amountOut, minAmountOut] = [Amount.format(worstCaseOutRaw, decimals), Amount.format(minRaw, decimals)]
  const pays = worstCaseOutRaw < amountOutRaw ? 'may pay only' : 'pays'
  throw new ServiceError(
    'svc/below-min-target',
    `Cannot convert: it ${pays} ${amountOut} ${symbol} now, which is below the minimum of ${minAmountOut} ${symbol}`,
    { amountOut, minAmountOut },
  )
}
