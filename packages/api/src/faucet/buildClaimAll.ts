import { Amount, ServiceError, toTimestamp } from '@agio/core'
import { z } from 'zod'
import { account, chainId } from '../schema/fields.ts'
import { toUnsignedTransaction, unsignedTransaction } from '../schema/unsignedTransaction.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { getFaucet } from './getFaucet.ts'

/** Builds an unsigned claim of every token of the faucet. */
export const buildClaimAll = procedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/faucet/build/claim-all',
      tags: ['Faucet'],
      summary: 'Build an unsigned claim of all tokens',
    },
    errors: ['svc/not-found', 'svc/faucet-cooldown', 'svc/faucet-dry', 'svc/insufficient-gas', 'svc/reverted'],
  })
  .input(z.strictObject({ chainId, userAddress: account }))
  .output(unsignedTransaction)
  .query(async ({ ctx, input }) => {
    const { state, gasLimit, revert, maxFeePerGas, ...call } = await getFaucet(getChain(ctx, input.chainId)).buildClaim(
      input.userAddress,
    )
    if (state.nowSeconds < state.nextClaimAtSeconds) throw inCooldown(state.nextClaimAtSeconds, state.nowSeconds)
    if (state.dryToken) {
      const message = `Cannot claim: the faucet has run out of token ${state.dryToken}`
      throw new ServiceError('svc/faucet-dry', message, { token: state.dryToken })
    }
    if (gasLimit === undefined) {
      const reason = `${revert.name}(${revert.args.join(', ')})`
      throw new ServiceError('svc/reverted', `Cannot claim: the faucet reverts with ${reason}`, { revert })
    }
    if (state.nativeBalance < gasLimit * maxFeePerGas) {
      throw tooLittleGasMoney(gasLimit * maxFeePerGas, state.nativeBalance)
    }
    return toUnsignedTransaction({ ...call, gasLimit }, input.chainId)
  })

function inCooldown(nextClaimAtSeconds: bigint, nowSeconds: bigint): ServiceError {
  const nextClaimAt = toTimestamp(nextClaimAtSeconds)
  return new ServiceError(
    'svc/faucet-cooldown',
    `Cannot claim: the user has claimed already; the next claim is possible at ${nextClaimAt}`,
    {
      nextClaimAt,
      retryAfterSeconds: Number(nextClaimAtSeconds - nowSeconds),
    },
  )
}

function tooLittleGasMoney(requiredWei: bigint, currentWei: bigint): ServiceError {
  const [required, current] = [Amount.format(requiredWei, 18), Amount.format(currentWei, 18)]
  const message = `Cannot claim: the user holds ${current} of the ${required} native currency that the gas may cost`
  return new ServiceError('svc/insufficient-gas', message, { required, current })
}
