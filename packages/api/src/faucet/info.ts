import type { Claims } from '@agio/chain'
import { Amount, toTimestamp } from '@agio/core'
import { z } from 'zod'
import { account, addressOut, chainIdInUrl, decimal, timestamp } from '../schema/fields.ts'
import { tokenReference, toTokenReference } from '../schema/tokens.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { getFaucet } from './getFaucet.ts'

const user = z.object({
  address: addressOut,
  canClaim: z.boolean(),
  lastClaimAt: timestamp.optional(),
  nextClaimAt: timestamp.optional(),
})

/** Tells what the faucet pays, and whether a user may claim. */
export const info = procedure
  .meta({
    openapi: { method: 'GET', path: '/api/v1/faucet/info', tags: ['Faucet'], summary: 'What the faucet pays' },
    errors: ['svc/not-found'],
  })
  .input(
    z.strictObject({
      chainId: chainIdInUrl,
      userAddress: account.optional().meta({ description: 'Tells also whether this user may claim' }),
    }),
  )
  .output(
    z
      .object({
        chainId: z.int(),
        faucetAddress: addressOut,
        cooldownSeconds: z.int(),
        tokens: z.array(tokenReference.extend({ amount: decimal })),
        user: user.optional().meta({ description: 'Times are absent for a user who has never claimed' }),
      })
      .meta({ id: 'FaucetInfo' }),
  )
  .query(async ({ ctx, input: { chainId, userAddress } }) => {
    const faucet = getFaucet(getChain(ctx, chainId))
    const [terms, claims] = await Promise.all([faucet.getTerms(), userAddress && faucet.readClaims(userAddress)])
    return {
      chainId,
      faucetAddress: terms.address,
      cooldownSeconds: Number(terms.cooldownSeconds),
      tokens: terms.tokens.map((token) => ({
        ...toTokenReference(token),
        amount: Amount.format(token.amountRaw, token.decimals),
      })),
      ...(userAddress && claims && { user: { address: userAddress, ...toClaimStatus(claims) } }),
    }
  })

function toClaimStatus({
  lastClaimAtSeconds,
  nextClaimAtSeconds,
  nowSeconds,
}: Claims): Omit<z.output<typeof user>, 'address'> {
  const canClaim = nowSeconds >= nextClaimAtSeconds
  if (lastClaimAtSeconds === 0n) return { canClaim }
  return { canClaim, lastClaimAt: toTimestamp(lastClaimAtSeconds), nextClaimAt: toTimestamp(nextClaimAtSeconds) }
}
