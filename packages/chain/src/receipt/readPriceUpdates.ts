import type { Address } from '@agio/core'
import { encodeEventTopics, parseAbi, type Hex } from 'viem'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { readAtBlock } from '../selection/readAtBlock.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { parseLogs } from '../transaction/parseLogs.ts'
import { toTransactionLog } from '../transaction/readReceipt.ts'

/** A new answer of an oracle. */
export type PriceUpdate = {
  readonly oracle: Address
  /** In the decimals of the oracle. */
  readonly answer: bigint
  /** The position of the event among all events of the block. */
  readonly logIndex: number
}

// The event of Chainlink and of the oracles of test networks.
const abi = parseAbi(['event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)'])

/**
 * Reads the updates of oracles in a block, in their order. They include oracles that belong to no pool.
 *
 * @throws `svc/upstream-*`
 */
export async function readPriceUpdates({ client }: Rpc, blockHash: Hex): Promise<readonly PriceUpdate[]> {
  const topics = encodeEventTopics({ abi, eventName: 'AnswerUpdated' }) as [Hex]
  const filter = { blockHash, topics }
  try {
    const logs = await readAtBlock(() => client.request({ method: 'eth_getLogs', params: [filter] }))
    return parseLogs({ abi, eventName: 'AnswerUpdated' }, logs.map(toTransactionLog))
      .map(({ address, args, logIndex }) => ({ oracle: address, answer: args.current, logIndex }))
      .toSorted((one, other) => one.logIndex - other.logIndex)
  } catch (error) {
    throw toUpstreamError(error)
  }
}
