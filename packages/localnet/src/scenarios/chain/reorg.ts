import { Errors } from '@agio/core'
import { numberToHex, TransactionNotFoundError, type Hex } from 'viem'
import { defineScenario, type ScenarioContext } from '../definition/defineScenario.ts'
import type { ChainOperator } from '../node/createChainOperator.ts'
import { captureForReplay } from './captureForReplay.ts'

/**
 * Replaces blocks by as many others and one more, once the service has reported them.
 *
 * A node can only revert to a snapshot. So the scenario mines `depth` blocks and replaces those; or, with a transaction that is
 * mined, all blocks since the last `no-mining`, `mine` or reset, which take a snapshot. Transactions of these blocks, those that are pending
 * at the start and those that are sent meanwhile are mined again in the first of the new blocks: none is lost but the one of the
 * option, if its outcome is `pending` or `gone`.
 */
export const reorg = defineScenario({
  name: 'reorg',
  description: 'Replaces this many blocks by other blocks and one more; with a transaction, the block that has it',
  effect: 'blocks with other hashes; transactions in them are mined again, but for the named one as its outcome says',
  options: {
    depth: {
      type: 'number',
      min: 1,
      max: 64,
      isWhole: true,
      isOptional: true,
      description: 'the number of replaced blocks, default 1; not for a transaction that is mined',
    },
    transactionHash: {
      type: 'hash',
      isOptional: true,
      description: 'a transaction that is pending, or mined since the last no-mining, mine or reset',
    },
    outcome: {
      type: 'choice',
      of: ['moved', 'pending', 'gone'],
      isOptional: true,
      description: 'moved to another block; pending, with mining stopped; or gone from the node; default moved',
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
        reason: 'it is that of a transaction, and transactionHash is missing',
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

/** Returns the snapshot after which blocks are replaced, once the service has reported these. */
async function replaceFrom(context: ScenarioContext, { depth, transactionHash }: Wanted): Promise<Start> {
  const { operator, waitForServedBlock } = context
  const mined = transactionHash === undefined ? undefined : await findBlockNumber(operator, transactionHash)
  if (mined === undefined) {
    const start = { snapshot: await operator.client.snapshot(), blockNumber: await operator.readNewest() }
    await mineBlocks(operator, depth)
    await waitForServedBlock(start.blockNumber + BigInt(depth))
    return { ...start, isCheckpoint: false }
  }
  const checkpoint = context.getCheckpoint()
  if (checkpoint && checkpoint.blockNumber < mined) {
    await waitForServedBlock(await operator.readNewest())
    return { ...checkpoint, isCheckpoint: true }
  }
  const reason = 'it was mined before the last no-mining, mine or reset, and the node keeps no snapshot of that'
  throw Errors.invalidRequest({ field: 'transactionHash', value: transactionHash, reason })
}

/** The block of a transaction; undefined if it is pending. @throws `svc/invalid-request` if the node has no such transaction */
async function findBlockNumber(operator: ChainOperator, hash: Hex): Promise<bigint | undefined> {
  const transaction = await findTransaction(operator, hash)
  if (!transaction)
    throw Errors.invalidRequest({ field: 'transactionHash', value: hash, reason: 'the node has no such transaction' })
  return transaction.blockNumber ?? undefined
}

/** Removes a transaction from the pool, to which the snapshot may have returned it. */
async function drop(operator: ChainOperator, hash: Hex): Promise<void> {
  if (await findTransaction(operator, hash)) await operator.client.dropTransaction({ hash })
}

async function findTransaction({ client }: ChainOperator, hash: Hex) {
  return await client.getTransaction({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionNotFoundError) return undefined
    throw error
  })
}

// One at a time: blocks of one hardhat_mine call are a second apart, and would move the chain's clock ahead.
async function mineBlocks({ client }: ChainOperator, number: number): Promise<void> {
  for (let mined = 0; mined < number; mined += 1) {
    // Without it, a block with the same number, timestamp and transactions would have the same hash.
    const random = numberToHex(BigInt(`0x${crypto.randomUUID().replaceAll('-', '')}`), { size: 32 })
    await client.request<SetPrevRandao>({ method: 'hardhat_setPrevRandao', params: [random] })
    await client.mine({ blocks: 1 })
  }
}

type SetPrevRandao = { Method: 'hardhat_setPrevRandao'; Parameters: [random: string]; ReturnType: boolean }
