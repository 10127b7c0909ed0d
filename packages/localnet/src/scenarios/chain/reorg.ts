import { Errors } from '@agio/core'
import { numberToHex, TransactionNotFoundError, type Hex } from 'viem'
import { defineScenario, type ScenarioContext } from '../definition/defineScenario.ts'
import type { ChainOperator } from '../node/createChainOperator.ts'
import { captureForReplay } from './captureForReplay.ts'

/**
 * Replaces blocks by the same number of other blocks and one more, after the service has reported the old blocks.
 *
 * A node can only revert to a snapshot. So the scenario mines `depth` blocks and replaces these blocks. For a mined
 * transaction, it replaces all blocks since the last `no-mining`, `mine`, reset or snapshot of the stack, which take a snapshot. The first new
 * block mines all affected transactions again: transactions of the replaced blocks, pending transactions, and
 * transactions that are sent meanwhile. The exception is the named transaction if its outcome is `pending` or `gone`.
 */
export const reorg = defineScenario({
  name: 'reorg',
  description: 'Replaces this many blocks by other blocks and one more. With a transaction, replaces its block',
  effect:
    'blocks with other hashes; their transactions are mined again, except for the outcome of the named transaction',
  options: {
    depth: {
      type: 'number',
      min: 1,
      max: 64,
      isWhole: true,
      isOptional: true,
      description: 'the number of replaced blocks, default 1. Not for a mined transaction',
    },
    transactionHash: {
      type: 'hash',
      isOptional: true,
      description: 'a transaction that is pending, or was mined since the last no-mining, mine, reset or snapshot',
    },
    outcome: {
      type: 'choice',
      of: ['moved', 'pending', 'gone'],
      isOptional: true,
      description: 'moved: to another block. pending: mining stops. gone: the node loses it. Default moved',
    },
  },
  codes: [],
  isMomentary: true,
  async inject(context, { depth = 1, outcome = 'moved', ...options }) {
    const transactionHash = options.transactionHash?.toLowerCase() as Hex | undefined
    const { operator } = context
    if (transactionHash === undefined && outcome !== 'moved') {
      throw Errors.invalidRequest({
        field: 'outcome',
        value: outcome,
        reason: 'an outcome needs a transactionHash',
      })
    }
    const wasMining = await operator.client.getAutomine()
    await operator.stopMining()
    const isKept = outcome === 'moved'
    try {
      const start = await replaceFrom(context, { depth, transactionHash })
      const captured = await captureForReplay(operator, start.blockNumber)
      const replaced = Number((await operator.readNewest()) - start.blockNumber)
      await operator.client.revert({ id: start.snapshot })
      if (start.isCheckpoint) await context.saveCheckpoint()
      if (transactionHash !== undefined && !isKept) await drop(operator, transactionHash)
      await captured.replay((hash) => isKept || hash !== transactionHash)
      await mineBlocks(operator, replaced + 1)
      if (outcome === 'pending') await captured.replay((hash) => hash === transactionHash)
    } finally {
      if (wasMining && outcome !== 'pending') await operator.startMining()
    }
  },
})

type Start = { readonly snapshot: Hex; readonly blockNumber: bigint; readonly isCheckpoint: boolean }

type Wanted = { readonly depth: number; readonly transactionHash: Hex | undefined }

/** Returns the snapshot after which blocks are replaced, after the service has reported these blocks. */
async function replaceFrom(context: ScenarioContext, { depth, transactionHash }: Wanted): Promise<Start> {
  const { operator, waitForServedBlock } = context
  const mined = transactionHash === undefined ? undefined : await findBlockNumber(operator, transactionHash)
  if (mined === undefined) {
    const start = { snapshot: await operator.client.snapshot(), blockNumber: await operator.readNewest() }
    await mineBlocks(operator, depth)
    await waitForServedBlock(start.blockNumber + BigInt(depth))
    return { ...start, isCheckpoint: false }
  }
  const checkpoint = context.findCheckpoint()
  if (checkpoint && checkpoint.blockNumber < mined) {
    await waitForServedBlock(await operator.readNewest())
    return { ...checkpoint, isCheckpoint: true }
  }
  const reason = 'it was mined before the last no-mining, mine, reset or snapshot, and the node has no earlier snapshot'
  throw Errors.invalidRequest({ field: 'transactionHash', value: transactionHash, reason })
}

/**
 * Returns the block of a transaction; undefined if the transaction is pending.
 *
 * @throws `svc/invalid-request` if the node does not have the transaction
 */
async function findBlockNumber(operator: ChainOperator, hash: Hex): Promise<bigint | undefined> {
  const transaction = await findTransaction(operator, hash)
  if (!transaction)
    throw Errors.invalidRequest({
      field: 'transactionHash',
      value: hash,
      reason: 'the node does not have this transaction',
    })
  return transaction.blockNumber ?? undefined
}

/** Removes a transaction from the node's pool. The snapshot may have returned it to the pool. */
async function drop(operator: ChainOperator, hash: Hex): Promise<void> {
  if (await findTransaction(operator, hash)) await operator.client.dropTransaction({ hash })
}

async function findTransaction({ client }: ChainOperator, hash: Hex) {
  return await client.getTransaction({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionNotFoundError) return undefined
    throw error
  })
}

// One block at a time: blocks of one hardhat_mine call are a second apart, and would move the chain's clock ahead.
async function mineBlocks({ client }: ChainOperator, number: number): Promise<void> {
  for (let mined = 0; mined < number; mined += 1) {
    // Without this change, a block with the same number, timestamp and transactions would have the same hash.
    const random = numberToHex(BigInt(`0x${crypto.randomUUID().replaceAll('-', '')}`), { size: 32 })
    await client.request<SetPrevRandao>({ method: 'hardhat_setPrevRandao', params: [random] })
    await client.mine({ blocks: 1 })
  }
}

type SetPrevRandao = { Method: 'hardhat_setPrevRandao'; Parameters: [random: string]; ReturnType: boolean }
