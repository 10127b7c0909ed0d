import type { Chain, MinedState, TrackedTransaction } from '@agio/chain'
import { Timestamp, TransactionState } from '@agio/core'
import type { Hex } from 'viem'
import { z } from 'zod'
import { addressOut, chainIdOut, hashOut, timestamp, transactionHashOut, wholeNumber } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { failure, minedFields, toFailure } from './broadcastResult.ts'
import { formatCursor } from './trackingCursor.ts'

const timeExample = '2026-11-21T05:00:00.000Z'

const hashExample = `0x${'ab'.repeat(32)}`

const proof = z
  .object({
    by: z.enum(['tag', 'depth']).meta({
      description:
        '`tag`: the block that the node reports as `safe` or `finalized`. `depth`: the newest block, a sufficient number of blocks later',
      example: 'tag',
    }),
    blockNumber: wholeNumber.meta({ description: 'Number of that block', example: 62 }),
    blockHash: hashOut.meta({ description: 'Hash of that block', example: hashExample }),
    blockTimestamp: timestamp.meta({ description: 'Time of that block', example: timeExample }),
  })
  .meta({ id: 'FinalityProof', description: 'The block that proves how final another block is' })

const inclusionFields = {
  ...minedFields,
  blockHash: hashOut.optional().meta({ description: 'Hash of the block', example: hashExample }),
  blockTimestamp: timestamp.optional().meta({ description: 'Time of the block', example: timeExample }),
  finality: z.enum(TransactionState.finalities).optional().meta({
    description: 'How final the block of the transaction is, even if the transaction failed',
    example: 'finalized',
  }),
  finalityProof: proof.optional().describe('Proof of the finality. Absent while it is `included`'),
  confirmations: z
    .object({
      count: wholeNumber.meta({ description: 'Number of blocks that confirm it, including its own', example: 1 }),
      required: wholeNumber.meta({
        description: 'Number of blocks after which it is final, if the chain keeps its current distance to finality',
        example: 11,
      }),
    })
    .optional()
    .meta({
      id: 'Confirmations',
      description:
        'How far the block is from being final. Only until it is `finalized`. Streams and webhooks send it with transitions only',
    }),
  witnesses: wholeNumber.optional().meta({
    description:
      'Number of nodes that have the same receipt in the same block. 1: no second node had it within ten minutes. Only if the block is `finalized`, and the service has several nodes',
    example: 2,
  }),
}

const replacement = z
  .object({
    transactionHash: transactionHashOut.describe('Hash of the transaction that used the nonce'),
    kind: z.enum(['speed-up', 'same-intent', 'cancel', 'other']).optional().meta({
      description:
        '`speed-up`: the same call. `same-intent`: a conversion of the same amount of the same tokens for the same recipient, at other terms. `cancel`: an empty transfer to the sender. `other`: any other transaction. Absent if the replaced call is unknown',
      example: 'speed-up',
    }),
    status: z
      .enum(['success', 'failed'])
      .meta({ description: 'Whether the transaction succeeded or reverted', example: 'success' }),
    ...inclusionFields,
  })
  .meta({ id: 'TransactionReplacement', description: 'The transaction that used the nonce of another transaction' })

const reorg = z
  .object({
    outcome: z.enum(['moved', 'pending', 'gone']).meta({
      description: '`moved`: in another block. `pending`: pending again. `gone`: no node has it',
      example: 'moved',
    }),
    status: z
      .enum(TransactionState.statuses)
      .exclude(['reorged'])
      .meta({ description: 'Current status, which the next request returns', example: 'included' }),
    blockNumber: wholeNumber.meta({ description: 'Number of the block that had it', example: 62 }),
    blockHash: hashOut.meta({ description: 'Hash of the block that had it', example: hashExample }),
  })
  .meta({ id: 'TransactionReorg', description: 'How a transaction left its block' })

/** The state of a transaction, in a response. */
export const trackResponse = z
  .object({
    transactionHash: transactionHashOut,
    chainId: chainIdOut,
    status: z.enum(TransactionState.statuses),
    visible: z
      .boolean()
      .optional()
      .meta({ description: 'Whether a node has the transaction. Only if it is pending', example: true }),
    contested: z.boolean().optional().meta({
      description:
        'Whether a node has another pending transaction with the same nonce. Only if the transaction is pending and no node has it',
      example: false,
    }),
    unseen: z.boolean().optional().meta({
      description: 'Whether no node has had the transaction for an hour. Only if it is pending and no node has it',
      example: false,
    }),
    from: addressOut.optional().meta({ description: 'Sender of the transaction', example: localExamples.wallet }),
    nonce: wholeNumber.optional().meta({ description: 'Nonce of the transaction', example: 7 }),
    ...inclusionFields,
    failure: failure.optional().describe('Why the transaction reverted, if it failed'),
    replacement: replacement
      .optional()
      .describe(
        'The transaction that replaced this one. Absent if no transaction did, since the code of an account may also use a nonce',
      ),
    deadline: timestamp.optional().meta({
      description: 'Deadline of the calldata, after which the transaction can only revert. Only if it is dropped',
      example: timeExample,
    }),
    reorg: reorg.optional().describe('Previous block and current state. Only if the transaction is `reorged`'),
    cursor: z.string().optional().meta({
      description:
        'Opaque text for the next request, to detect a replacement or a reorganisation. Keep the newest cursor. Absent if the sender is unknown',
      example: 'eyJ2ZXJzaW9uIjoxfQ',
    }),
  })
  .meta({ id: 'TrackedTransaction', description: 'The state of a transaction, and its finality' })

type Response = z.output<typeof trackResponse>

/** Returns the state of a transaction in the form of a response, with the reason if it failed. */
export async function toTrackResponse(
  chain: Chain,
  hash: Hex,
  { state, facts, left }: TrackedTransaction,
): Promise<Response> {
  const present = await toState(chain, hash, state)
  return {
    transactionHash: hash,
    chainId: chain.chainId,
    ...(facts && { from: facts.from, nonce: facts.nonce }),
    ...present,
    ...(left && {
      status: 'reorged',
      reorg: {
        outcome: toOutcome(state),
        status: present.status,
        blockNumber: Number(left.number),
        blockHash: left.hash,
      },
    }),
    ...(facts && { cursor: formatCursor({ chainId: chain.chainId, hash, facts }) }),
  }
}

function toOutcome(state: TrackedTransaction['state']): z.output<typeof reorg>['outcome'] {
  if (state.status === 'mined') return 'moved'
  return state.status === 'pending' && state.visibility === 'visible' ? 'pending' : 'gone'
}

type State = Omit<Response, 'transactionHash' | 'chainId' | 'status'> & {
  readonly status: z.output<typeof reorg>['status']
}

async function toState(chain: Chain, hash: Hex, state: TrackedTransaction['state']): Promise<State> {
  if (state.status === 'mined') return await toMined(chain, hash, state)
  if (state.status === 'dropped') return { status: 'dropped', deadline: Timestamp.fromSeconds(state.deadlineSeconds) }
  if (state.status === 'replaced') {
    return { status: 'replaced', ...(state.winner && { replacement: toReplacement(state.winner) }) }
  }
  const { visibility } = state
  if (visibility === 'visible') return { status: 'pending', visible: true }
  return {
    status: 'pending',
    visible: false,
    contested: visibility === 'contested',
    ...(visibility === 'unseen' && { unseen: true }),
  }
}

async function toMined(chain: Chain, hash: Hex, mined: MinedState): Promise<State> {
  if (mined.receipt.status === 'success') return { status: mined.finality, ...toInclusion(mined) }
  const reason = await chain.transactions.findFailure(hash, mined.receipt)
  return { status: 'failed', ...toInclusion(mined), ...(reason && { failure: toFailure(reason) }) }
}

type Winner = NonNullable<Extract<TrackedTransaction['state'], { status: 'replaced' }>['winner']>

function toReplacement(winner: Winner): z.output<typeof replacement> {
  return {
    transactionHash: winner.hash,
    ...(winner.kind && { kind: winner.kind }),
    status: winner.receipt.status,
    ...toInclusion(winner),
  }
}

function toInclusion({ receipt, block, finality, proof: proven, confirmations, witnesses }: MinedState) {
  return {
    ...toBlockFields(block),
    gasUsed: receipt.gasUsed.toString(),
    finality,
    ...(proven && { finalityProof: { by: proven.by, ...toBlockFields(proven.head) } }),
    ...(confirmations && {
      confirmations: { count: Number(confirmations.count), required: Number(confirmations.required) },
    }),
    ...(witnesses !== undefined && { witnesses }),
  }
}

function toBlockFields({ number, hash, timestampSeconds }: MinedState['block']) {
  return { blockNumber: Number(number), blockHash: hash, blockTimestamp: Timestamp.fromSeconds(timestampSeconds) }
}

/** The state of a transaction, as `transaction/track` returns it. */
export type Tracked = z.output<typeof trackResponse>

/**
 * Lists a response for each transition of a transaction since its previous state, in order. The last response is the
 * current state.
 *
 * Without a previous state, lists only the current response.
 */
export function listTransitions(
  previous: TransactionState.TransactionState | undefined,
  tracked: Tracked,
): readonly Tracked[] {
  return TransactionState.transitions(previous, TransactionState.from(tracked)).map(({ status }) => {
    const isEarlier = status !== tracked.status && (status === 'included' || status === 'safe')
    return isEarlier ? toEarlier(tracked, status) : tracked
  })
}

/** Returns the response of an earlier time, in the same block. A proof of `finalized` also proves `safe`. */
function toEarlier({ finalityProof, witnesses: _, ...tracked }: Tracked, status: 'included' | 'safe'): Tracked {
  const proof = status === 'safe' && finalityProof ? { finalityProof } : {}
  return { ...tracked, status, finality: status, ...proof }
}
