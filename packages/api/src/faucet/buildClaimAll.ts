import { Amount, Errors, Network, type ServiceError } from '@agio/core'
import { z } from 'zod'
import { account, chainId } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { l1Fee, toL1Fee, toUnsignedTransaction, unsignedTransaction } from '../schema/transactions.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { getFaucet } from './getFaucet.ts'

const claimExample = {
  to: localExamples.faucet,
  data: '0xd1058e59',
  value: '0',
  chainId: Network.defaultChainId,
  gasLimit: '230000',
}

/** Builds an unsigned claim of every token of the faucet. */
export const buildClaimAll = procedure
  .meta({
    scope: 'faucet',
    openapi: rest('POST /api/v1/faucet/build/claim-all', 'Faucet', {
      operationId: 'buildFaucetClaim',
      summary: 'Build an unsigned claim of all tokens',
      description:
        'Returns a claim of every token of the faucet for the user to sign. The faucet pays only the account that sends the transaction, so a contract cannot claim.',
    }),
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
  .output(
    unsignedTransaction.extend({ l1Fee }).meta({
      id: 'UnsignedClaim',
      description: 'An unsigned claim of all tokens of the faucet',
      example: claimExample,
    }),
  )
  .query(async ({ ctx, input }) => {
    const { state, gasLimit, revert, maxFeePerGas, ...call } = await getFaucet(getChain(ctx, input.chainId)).buildClaim(
      input.userAddress,
    )
    const { nextClaimAtSeconds, block } = state
    const blockSeconds = block.timestampSeconds
    if (blockSeconds < nextClaimAtSeconds) throw Errors.faucetCooldown({ nextClaimAtSeconds, blockSeconds })
    if (state.dryToken) throw Errors.faucetDry({ token: state.dryToken })
    if (gasLimit === undefined) throw Errors.reverted({ action: 'claim', contract: 'the faucet', revert })
    const requiredWei = gasLimit * maxFeePerGas + (state.l1FeeWei ?? 0n)
    if (state.nativeBalance < requiredWei) throw insufficientGas(requiredWei, state.nativeBalance)
    return { ...toUnsignedTransaction({ ...call, gasLimit }, input.chainId), ...toL1Fee(state) }
  })

function insufficientGas(requiredWei: bigint, currentWei: bigint): ServiceError {
  const [required, current] = [Amount.format(requiredWei, 18), Amount.format(currentWei, 18)]
  return Errors.insufficientGas({ action: 'claim', required, current })
}
