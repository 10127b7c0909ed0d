import type { Chain } from '@agio/chain'
import { Errors, type Address } from '@agio/core'
import { getChain, toActor } from '../procedure/Context.ts'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { quotePauses, readQuotePauses, tokenPair } from './quotePauses.ts'

/** Pauses quotes for a pair of tokens. */
export const pause = adminProcedure
  .meta({
    openapi: rest('POST /api/v1/admin/quotes/pause', 'Admin', {
      operationId: 'pauseQuotes',
      summary: 'Pause quotes for two tokens',
      description:
        'Refuses new quotes for two tokens, in both directions, with `svc/quoting-paused`, until quotes are resumed. Also refuses quotes whose route contains a pool of these two tokens. The pause takes effect in every process within two seconds. Existing quotes remain valid until they expire, and previews continue. Pausing a paused pair changes nothing.',
    }),
    role: 'quotes',
    errors: ['svc/unsupported-token'],
  })
  .input(tokenPair)
  .output(quotePauses)
  .mutation(async ({ ctx, input: { chainId, tokenA, tokenB }, path }) => {
    const chain = getChain(ctx, chainId)
    assertSupported(chain, tokenA, 'tokenA')
    assertSupported(chain, tokenB, 'tokenB')
    await ctx.store.quotePauses.pause({ chainId, tokens: [tokenA, tokenB] }, toActor(ctx, path))
    return await readQuotePauses(ctx.store)
  })

/**
 * Asserts that the chain has both tokens. Accepts any token before the tokens of the chain are read.
 *
 * @throws `svc/unsupported-token`
 */
function assertSupported({ pools }: Chain, token: Address, field: string): void {
  const tokens = pools.getTokens()
  if (tokens.size === 0 || tokens.has(token)) return
  throw Errors.unsupportedToken({ field, value: token })
}
