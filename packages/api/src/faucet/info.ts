import type { Claims } from '@agio/chain'
import { Amount, Timestamp } from '@agio/core'
import { z } from 'zod'
import {
  account,
  addressOut,
  chainIdInUrl,
  chainIdOut,
  decimal,
  timestamp,
  wholeNumber,
  readBlockFields,
  toReadBlock,
} from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { tokenReference, toTokenReference } from '../schema/tokens.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { getFaucet } from './getFaucet.ts'

/** The amount of a token that a claim pays. */
export const faucetAmount = decimal.meta({ description: 'Amount that a claim pays', example: '1000.000000' })

const user = z.object({
  address: addressOut.meta({ description: 'Address of the user', example: localExamples.wallet }),
  canClaim: z.boolean().meta({ description: 'Whether the user may claim now', example: true }),
  lastClaimAt: timestamp.optional().describe('Time of the last claim. Absent before the first'),
  nextClaimAt: timestamp.optional().meta({
    description: 'Time from which the user may claim. Absent before the first claim',
    example: '2026-11-22T05:00:00.000Z',
  }),
  ...readBlockFields,
})

/** Returns the terms of the faucet, and whether a user may claim. */
export const info = procedure
  .meta({
    scope: 'faucet',
    openapi: rest('GET /api/v1/faucet/info', 'Faucet', {
      operationId: 'getFaucetInfo',
      summary: 'Get the terms of the faucet',
      description:
        'Returns the amounts that the faucet pays. With `userAddress`, also returns whether that user may claim.',
    }),
    errors: ['svc/not-found'],
  })
  .input(
    z.strictObject({
      chainId: chainIdInUrl,
      userAddress: account
        .meta({ description: 'User whose claims are returned', example: localExamples.wallet })
        .optional(),
    }),
  )
  .output(
    z
      .object({
        chainId: chainIdOut,
        faucetAddress: addressOut.meta({ description: 'Address of the faucet', example: localExamples.faucet }),
        cooldownSeconds: wholeNumber.meta({ description: 'Seconds between two claims of a user', example: 86_400 }),
        tokens: z
          .array(
            tokenReference
              .extend({ amount: faucetAmount })
              .meta({ id: 'FaucetTerm', description: 'A token that the faucet pays' }),
          )
          .describe('Tokens that the faucet pays'),
        user: user.optional().meta({
          description: 'Claims of the user. Absent without `userAddress`',
          example: {
            address: localExamples.wallet,
            canClaim: true,
            blockNumber: 59,
            blockTimestamp: '2026-11-21T05:00:00.000Z',
          },
        }),
      })
      .meta({ id: 'FaucetInfo', description: 'The terms of the faucet' }),
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
  block,
}: Claims): Omit<z.output<typeof user>, 'address'> {
  const status = { canClaim: block.timestampSeconds >= nextClaimAtSeconds, ...toReadBlock(block) }
  if (lastClaimAtSeconds === 0n) return status
  return {
    ...status,
    lastClaimAt: Timestamp.fromSeconds(lastClaimAtSeconds),
    nextClaimAt: Timestamp.fromSeconds(nextClaimAtSeconds),
  }
}
