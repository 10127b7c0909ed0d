import { Amount } from '@agio/core'
import { z } from 'zod'
import { chainIdInUrl } from '../schema/fields.ts'
import { namedToken } from '../schema/tokens.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { getFaucet } from './getFaucet.ts'
import { faucetAmount } from './info.ts'

const faucetToken = namedToken
  .extend({ amount: faucetAmount })
  .meta({ id: 'FaucetToken', description: 'A token that the faucet pays, with its name' })

/** Lists the tokens that the faucet pays. */
export const tokens = procedure
  .meta({
    scope: 'faucet',
    openapi: rest('GET /api/v1/faucet/tokens', 'Faucet', {
      operationId: 'listFaucetTokens',
      summary: 'List the tokens of the faucet',
      description: 'Returns the tokens that a claim pays, with their amounts.',
    }),
    errors: ['svc/not-found'],
  })
  .input(z.strictObject({ chainId: chainIdInUrl }))
  .output(
    z
      .object({ tokens: z.array(faucetToken).describe('Tokens that the faucet pays') })
      .meta({ id: 'FaucetTokens', description: 'The tokens of the faucet' }),
  )
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
