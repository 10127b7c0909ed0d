import { z } from 'zod'
import { address, chainIdInUrlOrDefault, wholeNumber } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'

/** Returns the next nonce of an address. */
export const nonce = procedure
  .meta({
    scope: 'read',
    openapi: rest('GET /api/v1/transaction/nonce/{address}', 'Transaction', {
      operationId: 'getNonce',
      summary: 'Get the next nonce of an address',
      description:
        'Returns two nonces for the next transaction of an address: after its pending transactions, and after its mined transactions only.',
    }),
  })
  .input(
    z.strictObject({
      address: address.meta({ description: 'Address of the sender', example: localExamples.wallet }),
      chainId: chainIdInUrlOrDefault,
    }),
  )
  .output(
    z.object({
      nonce: wholeNumber.meta({ description: 'Next nonce, including pending transactions', example: 0 }),
      latest: wholeNumber.meta({ description: 'Next nonce, mined transactions only', example: 0 }),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { pending, latest } = await getChain(ctx, input.chainId).transactions.readNonces(input.address)
    return { nonce: pending, latest }
  })
