import { Amount } from '@agio/core'
import { z } from 'zod'
import { chainIdInUrl, decimal } from '../schema/fields.ts'
import { tokenReference } from '../schema/tokens.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { getFaucet } from './getFaucet.ts'

/** Lists the tokens that the faucet pays. */
export const tokens = procedure
  .meta({
    openapi: { method: 'GET', path: '/api/v1/faucet/tokens', tags: ['Faucet'], summary: 'The tokens of the faucet' },
    errors: ['svc/not-found'],
  })
  .input(z.strictObject({ chainId: chainIdInUrl }))
  .output(z.object({ tokens: z.array(tokenReference.extend({ name: z.string(), amount: decimal })) }))
  .query(async ({ ctx, input: { chainId } }) => {
    const terms = await getFaucet(getChain(ctx, chainId)).getTerms()
    return {
      tokens: terms.tokens.map(({ address, symbol, name, decimals, amountRaw }) => ({
        address,
        symbol,
        name,
        decimals,
        amount: Amount.format(amountRaw, decimals),
      })),
    }
  })
