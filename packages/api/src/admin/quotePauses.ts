import type { Store } from '@agio/store'
import { z } from 'zod'
import { address, addressOut, chainId, chainIdOut, timestamp } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'

/** A pair of tokens, in a request. */
export const tokenPair = z
  .strictObject({
    chainId,
    tokenA: address.meta({ description: 'One of the two tokens', example: localExamples.tAUD }),
    tokenB: address.meta({ description: 'The other token', example: localExamples.tUSD }),
  })
  .refine(({ tokenA, tokenB }) => tokenA !== tokenB, { path: ['tokenB'], error: 'It is the same token as tokenA' })

/** The paused pairs, in a response. */
export const quotePauses = z
  .object({
    pauses: z
      .array(
        z
          .object({
            chainId: chainIdOut,
            tokenA: addressOut.meta({ description: 'One of the two tokens', example: localExamples.tUSD }),
            tokenB: addressOut.meta({ description: 'The other token', example: localExamples.tAUD }),
            pausedAt: timestamp.meta({ description: 'Time of the pause', example: '2026-11-21T05:00:00.000Z' }),
          })
          .meta({ id: 'QuotePause', description: 'A pair of tokens for which quotes are paused, in both directions' }),
      )
      .describe('All paused pairs, oldest pause first'),
  })
  .meta({ id: 'QuotePauses', description: 'The pairs of tokens for which quotes are paused' })

/** Returns all paused pairs in the form of a response. */
export async function readQuotePauses(store: Pick<Store, 'quotePauses'>): Promise<z.input<typeof quotePauses>> {
  const pauses = await store.quotePauses.list()
  return {
    pauses: pauses.map(({ chainId: id, tokens: [tokenA, tokenB], pausedAt }) => ({
      chainId: id,
      tokenA,
      tokenB,
      pausedAt: pausedAt.toISOString(),
    })),
  }
}
