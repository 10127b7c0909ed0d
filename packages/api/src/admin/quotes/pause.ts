import type { Chain } from '@agio/chain'
import { Errors, type Address } from '@agio/core'
import { getChain } from '../../trpc/getChain.ts'
import { adminProcedure } from '../../trpc/procedure.ts'
import { quotePauses, readQuotePauses, tokenPair } from './quotePauses.ts'

/** Pauses quotes for a pair of tokens. */
export const pause = adminProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/admin/quotes/pause',
      operationId: 'pauseQuotes',
      tags: ['Admin'],
      summary: 'Pause quotes for two tokens',
      description:
        'Refuses new quotes for two tokens, in both directions, with `svc/quoting-paused`, until they are resumed: in every process within two seconds. So are quotes of other tokens whose route has a pool of these two. Quotes that were issued before stay valid until they expire, and previews go on. Pausing a paused pair changes nothing.',
    },
    errors: ['svc/unsupported-token'],
  })
  .input(tokenPair)
  .output(quotePauses)
  .mutation(async ({ ctx, input: { chainId, tokenA, tokenB } }) => {
    const chain = getChain(ctx, chainId)
    assertKnown(chain, tokenA, 'tokenA')
    assertKnown(chain, tokenB, 'tokenB')
    await ctx.store.quotePauses.pause({ chainId, tokens: [tokenA, tokenB] })
    return await readQuotePauses(ctx.store)
  })

/** @throws `svc/unsupported-token` for a token that the chain has not; one whose tokens are still unread accepts any */
function assertKnown({ pools }: Chain, token: Address, field: string): void {
  const tokens = pools.getTokens()
  if (tokens.size === 0 || tokens.has(token)) return
  throw Errors.unsupportedToken({ field, value: token })
}
