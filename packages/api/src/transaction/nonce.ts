import { z } from 'zod'
import { address, chainIdInUrlOrDefault } from '../schema/fields.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'

/** Tells the next nonce of an address. */
export const nonce = procedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/transaction/nonce/{address}',
      tags: ['Transaction'],
      summary: 'The next nonce of an address',
    },
    errors: [],
  })
  .input(z.strictObject({ address, chainId: chainIdInUrlOrDefault }))
  .output(
    z.object({
      nonce: z.int().meta({ description: 'The next one, counting pending transactions' }),
      latest: z.int().meta({ description: 'The next one, counting mined transactions only' }),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { pending, latest } = await getChain(ctx, input.chainId).readNonces(input.address)
    return { nonce: pending, latest }
  })
