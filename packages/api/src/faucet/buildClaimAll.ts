import { Amount, defaultChainId, ServiceError, toTimestamp } from '@agio/core'
import { z } from 'zod'
import { account, chainId } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { toUnsignedTransaction, unsignedTransaction } from '../schema/unsignedTransaction.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { getFaucet } from './getFaucet.ts'

const claimExample = {
  to: localExamples.faucet,
  data: '0xd1058e59',
  value: '0',
  chainId: defaultChainId,
  gasLimit: '230000',
}

/** Builds an unsigned claim of every token of the faucet. */
export const buildClaimAll = procedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/faucet/build/claim-all',
      operationId: 'buildFaucetClaim',
      tags: ['Faucet'],
      summary: 'Build an unsigned claim of all tokens',
      description:
        'Returns a claim of every token of the faucet for the user to sign. The faucet pays only the account that sends the transaction: a contract cannot claim.',
    },
    errors: ['svc/not-found', 'svc/faucet-cooldown', 'svc/faucet-dry', 'svc/insufficient-gas', 'svc/reverted'],
  })
  .input(
    z.strictObject({
      chainId,
      userAddress: account.meta({
        description: 'User that will sign and receive the tokens',
        example: localExamples.wallet,
      }),
    }),
  )
  .output(unsignedTransaction.meta({ example: claimExample }))
  .query(async ({ ctx, input }) => {
    const { state, gasLimit, revert, maxFeePerGas, ...call } = await getFaucet(getChain(ctx, input.chainId)).buildClaim(
      input.userAddress,
    )
    const nowSeconds = state.block.timestampSeconds
    if (nowSeconds < state.nextClaimAtSeconds) throw inCooldown(state.nextClaimAtSeconds, nowSeconds)
    if (state.dryToken) {
      const message = `Cannot claim: the faucet's balance of token ${state.dryToken} is too low`
      throw new ServiceError('svc/faucet-dry', message, { token: state.dryToken })
    }
    if (gasLimit === undefined) {
      const reason = `${revert.name}(${revert.args.join(', ')})`
      throw new ServiceError('svc/reverted', `Cannot claim: the faucet reverts with ${reason}`, { revert })
    }
    if (state.nativeBalance < gasLimit * maxFeePerGas) {
      throw insufficientGas(gasLimit * maxFeePerGas, state.nativeBalance)
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

function insufficientGas(requiredWei: bigint, currentWei: bigint): ServiceError {
  const [required, current] = [Amount.format(requiredWei, 18), Amount.format(currentWei, 18)]
  const message = `Cannot claim: gas may cost up to ${required}, the wallet holds ${current} (native currency)`
  return new ServiceError('svc/insufficient-gas', message, { required, current })
}
