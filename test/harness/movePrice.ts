import type { LocalChain } from '@agio/localnet'
import { parseAbi, type Hex } from 'viem'
import { connectOwner } from './connectOwner.ts'
import { waitForBlock } from './waitForBlock.ts'
import { writeContract } from './writeContract.ts'
import type { Hold } from './holdRequests.ts'
import { isStateRead } from './stateReads.ts'

const abi = parseAbi(['function updateAnswer(int256 answer)'])

/** Sets a price, in dollars with 8 decimals, in a separate block. */
export async function setPrice(chain: LocalChain, symbol: 'tAUD' | 'tEUR', answer: bigint): Promise<void> {
  const update = { address: chain.oracles[symbol], abi, functionName: 'updateAnswer', args: [answer] } as const
  await writeContract(connectOwner(chain).client, update)
}

/**
 * Moves the price in a new block whose state read fails, and returns the block once the service serves it. What `holdNext` matches is held
 * before reads pass again, so that no read of the service comes between.
 */
export async function moveUnread(url: string, chain: LocalChain, { hold, price, holdNext }: Options) {
  const reads = hold(isStateRead)
  reads.breakOff()
  await setPrice(chain, 'tAUD', price)
  await waitForBlock(url, chain)
  const block = await connectOwner(chain).client.getBlock()
  const held = hold(holdNext(block.hash))
  reads.pass()
  return { ...block, held }
}

type Options = {
  readonly hold: Hold
  readonly price: bigint
  readonly holdNext: (hash: Hex) => Parameters<Hold>[0]
}
