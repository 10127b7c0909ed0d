import type { Chain, TransactionFacts } from '@agio/chain'
import { Errors, Network, type ServiceError } from '@agio/core'
import { z } from 'zod'
import { account, chainId, transactionHash } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { refuseFields, requireFields } from '../schema/requireFields.ts'
import { signedTransaction } from './broadcastResult.ts'
import { type Context, getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { parseCursor, type TrackingCursor } from './trackingCursor.ts'
import { toTrackResponse, trackResponse } from './trackResponse.ts'

// The largest integer is the bound of every `z.int()`, which the document leaves out.
const maxNonce = Number.MAX_SAFE_INTEGER - 1

/** The input of `transaction.track`. */
export const trackInput = z.strictObject({
  chainId: chainId
    .optional()
    .describe(
      `Chain id of the network. Default: the chain of the cursor, or ${Network.defaultChainId} without a cursor`,
    ),
  transactionHash,
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,2048}$/, 'It is not a cursor')
    .optional()
    .meta({ description: 'The `cursor` of the last response for this transaction', example: 'eyJ2ZXJzaW9uIjoxfQ' }),
  from: account
    .optional()
    .meta({ description: 'Sender of the transaction, with `nonce`, without a cursor', example: localExamples.wallet }),
  nonce: z
    .int()
    .min(0)
    .max(maxNonce)
    .optional()
    .meta({ description: 'Nonce of the transaction, with `from`', example: 7 }),
  signedTransaction: signedTransaction
    .optional()
    .describe('The signed transaction, instead of `from` and `nonce`. It is not sent'),
})

type Input = z.output<typeof trackInput>

/** Returns the state of a transaction. */
export const track = procedure
  .meta({
    scope: 'read',
    openapi: rest('POST /api/v1/transaction/track', 'Transaction', {
      operationId: 'trackTransaction',
      summary: 'Track a transaction to its end',
      description:
        'Returns the status of a transaction: pending, mined and how final, failed and why, replaced and by which transaction, dropped, or reorganised. The hash is not sufficient to the end, because nodes forget the transaction when another transaction uses its nonce. Also send the `cursor` of the last response, `from` and `nonce`, or the `signedTransaction`. Without them, a transaction that no node has is `svc/transaction-not-found`. The service stores nothing.',
    }),
    example: { chainId: Network.defaultChainId, transactionHash: localExamples.transactionHash },
    errors: ['svc/transaction-not-found', 'svc/invalid-transaction', 'svc/wrong-chain'],
  })
  .input(trackInput)
  .output(trackResponse)
  .query(async ({ ctx, input }) => {
    const { chain, facts } = await resolveTracked(ctx, input)
    const { transactionHash: hash } = input
    return await toTrackResponse(chain, hash, await chain.transactions.track({ hash, facts }))
  })

/** Returns the state of a transaction that a stream observes repeatedly. No endpoint serves it. */
export const observe = procedure
  .input(trackInput)
  .output(trackResponse)
  .query(async ({ ctx, input }) => {
    const { chain, facts } = await resolveTracked(ctx, input)
    const { transactionHash: hash } = input
    const { streams } = ctx
    const search = streams && { begin: () => streams.beginSearch(), onRead: streams.countSearchRead }
    const tracked = await chain.transactions.track({ hash, facts, observed: true, search })
    return await toTrackResponse(chain, hash, tracked)
  })

type Tracked = { readonly chain: Chain; readonly facts: TransactionFacts | undefined }

/** Returns the network of a transaction, and its fields in the request. */
async function resolveTracked(ctx: Context, input: Input): Promise<Tracked> {
  const { cursor, from, nonce, signedTransaction: signed } = input
  if (cursor !== undefined) {
    refuseFields(input, ['from', 'nonce', 'signedTransaction'], 'the cursor contains it')
    const parsed = parseCursor(cursor)
    assertSame(input, parsed)
    return { chain: getChain(ctx, parsed.chainId), facts: parsed.facts }
  }
  const chain = getChain(ctx, input.chainId ?? Network.defaultChainId)
  if (signed !== undefined) {
    refuseFields(input, ['from', 'nonce'], 'the signed transaction contains it')
    return { chain, facts: await chain.transactions.readSigned(signed, input.transactionHash) }
  }
  if (from === undefined && nonce === undefined) return { chain, facts: undefined }
  requireFields(input, ['from', 'nonce'])
  return { chain, facts: { from: input.from, nonce: input.nonce } }
}

/** Asserts that a cursor is for the transaction and the network of the request. @throws `svc/invalid-request` */
function assertSame({ chainId: requested, transactionHash: hash }: Input, cursor: TrackingCursor): void {
  if (cursor.hash !== hash) throw otherCursor(`it is for transaction ${cursor.hash}`)
  if (requested !== undefined && requested !== cursor.chainId) throw otherCursor(`it is for chain ${cursor.chainId}`)
}

function otherCursor(reason: string): ServiceError {
  return Errors.invalidRequest({ field: 'cursor', action: 'use cursor', reason })
}
