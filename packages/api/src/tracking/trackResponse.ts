import type { Chain, MinedState, TrackedTransaction } from '@agio/chain'
import { toTimestamp, TransactionState } from '@agio/core'
import type { Hex } from 'viem'
import { z } from 'zod'
import { addressOut, chainIdOut, hashOut, timestamp, transactionHashOut, wholeNumber } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { failure, minedFields, toFailure } from '../transaction/broadcastResult.ts'
import { formatCursor } from './trackingCursor.ts'

const hashExample = `0x${'ab'.repeat(32)}`
const timeExample = '2026-11-21T05:00:00.000Z'

const proof = z
  .object({
    by: z.enum(['tag', 'depth']).meta({
      description:
        '`tag`: the block that the node reports as `safe` or `finalized`. `depth`: the newest block, so many blocks later',
      example: 'tag',
    }),
    blockNumber: wholeNumber.meta({ description: 'Number of that block', example: 62 }),
    blockHash: hashOut.meta({ description: 'Hash of that block', example: hashExample }),
    blockTimestamp: timestamp.meta({ description: 'Time of that block', example: timeExample }),
  })
  .meta({ id: 'FinalityProof', description: 'The block that proves how final another one is' })

const inclusionFields = {
  ...minedFields,
  blockHash: hashOut.optional().meta({ description: 'Hash of its block', example: hashExample }),
  blockTimestamp: timestamp.optional().meta({ description: 'Time of its block', example: timeExample }),
  finality: z
    .enum(TransactionState.finalities)
    .optional()
    .meta({ description: 'How final its block is, also of a transaction that failed', example: 'finalized' }),
  finalityProof: proof.optional().meta({ description: 'What proves it; absent while it is `included`' }),
}

const replacement = z
  .object({
    transactionHash: transactionHashOut.meta({ description: 'Hash of the transaction that used the nonce' }),
    kind: z.enum(['speed-up', 'same-intent', 'cancel', 'other']).optional().meta({
      description:
        '`speed-up`: the same call. `same-intent`: converts the same amount of the same tokens for the same recipient, at other terms. `cancel`: an empty transfer to its sender. `other`: anything else. Absent if the replaced call is unknown',
      example: 'speed-up',
    }),
    status: z.enum(['success', 'failed']).meta({ description: 'Whether it succeeded or reverted', example: 'success' }),
    ...inclusionFields,
  })
  .meta({ id: 'TransactionReplacement', description: 'The transaction that used the nonce of another one' })

const reorg = z
  .object({
    outcome: z.enum(['moved', 'pending', 'gone']).meta({
      description: '`moved` to another block, `pending` again, or `gone`: no node has it',
      example: 'moved',
    }),
    status: z
      .enum(TransactionState.statuses)
      .exclude(['reorged'])
      .meta({ description: 'Its status now, which the next request returns', example: 'included' }),
    blockNumber: wholeNumber.meta({ description: 'Number of the block that had it', example: 62 }),
    blockHash: hashOut.meta({ description: 'Hash of the block that had it', example: hashExample }),
  })
  .meta({ id: 'TransactionReorg', description: 'How a transaction left its block' })

/** Where a transaction is, in a response. */
export const trackResponse = z
  .object({
    transactionHash: transactionHashOut,
    chainId: chainIdOut,
    status: z.enum(TransactionState.statuses).meta({
      id: 'TrackedState',
      description:
        '`pending`: not mined. `included`, `safe`, `finalized`: it succeeded, and how final its block is. `failed`: it reverted. `replaced`: another transaction used its nonce. `dropped`: no node has it, and its deadline has passed. `reorged`: it left the block that the cursor names',
      example: 'included',
    }),
    visible: z.boolean().optional().meta({ description: 'Of a pending one: whether a node has it', example: true }),
    contested: z.boolean().optional().meta({
      description: 'Of a pending one that no node has: whether a node has another one with its nonce pending',
      example: false,
    }),
    from: addressOut.optional().meta({ description: 'Its sender', example: localExamples.wallet }),
    nonce: wholeNumber.optional().meta({ description: 'Its nonce', example: 7 }),
    ...inclusionFields,
    failure: failure.optional().meta({ description: 'Why it reverted, if it failed' }),
    replacement: replacement.optional().meta({
      description: 'What replaced it; absent if no transaction did: the code of an account may use a nonce, too',
    }),
    deadline: timestamp.optional().meta({
      description: 'Of a dropped one: the deadline of its calldata, after which it can only revert',
      example: timeExample,
    }),
    reorg: reorg.optional().meta({ description: 'Of a reorged one: where it was, and is' }),
    cursor: z.string().optional().meta({
      description:
        'What the next request needs to recognise a replacement and a reorganisation: keep the newest one. Opaque; absent if the sender is unknown',
      example: 'eyJ2ZXJzaW9uIjoxfQ',
    }),
  })
  .meta({ id: 'TrackedTransaction', description: 'Where a transaction is, and how final' })

type Response = z.output<typeof trackResponse>

/** Returns where a transaction is, as a response contains it, with the reason if it failed. */
export async function toTrackResponse(
  chain: Chain,
  hash: Hex,
  { state, known, left }: TrackedTransaction,
): Promise<Response> {
  const present = await toState(chain, hash, state)
  return {
    transactionHash: hash,
    chainId: chain.chainId,
    ...(known && { from: known.from, nonce: known.nonce }),
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
    ...(known && { cursor: formatCursor({ chainId: chain.chainId, hash, known }) }),
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
  if (state.status === 'dropped') return { status: 'dropped', deadline: toTimestamp(state.deadlineSeconds) }
  if (state.status === 'replaced') {
    return { status: 'replaced', ...(state.winner && { replacement: toReplacement(state.winner) }) }
  }
  const { visibility } = state
  if (visibility === 'visible') return { status: 'pending', visible: true }
  return { status: 'pending', visible: false, contested: visibility === 'contested' }
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

function toInclusion({ receipt, block, finality, proof: proven }: MinedState) {
  return {
    ...toBlockFields(block),
    gasUsed: receipt.gasUsed.toString(),
    finality,
    ...(proven && { finalityProof: { by: proven.by, ...toBlockFields(proven.head) } }),
  }
}

function toBlockFields({ number, hash, timestampSeconds }: MinedState['block']) {
  return { blockNumber: Number(number), blockHash: hash, blockTimestamp: toTimestamp(timestampSeconds) }
}
