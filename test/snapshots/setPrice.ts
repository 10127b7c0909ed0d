import type { LocalChain } from '@agio/localnet'
import { parseAbi } from 'viem'
import { connectOwner } from '../stack/connectOwner.ts'
import { writeContract } from '../stack/writeContract.ts'

const abi = parseAbi(['function updateAnswer(int256 answer)'])

/** Sets a price, in dollars with 8 decimals, in a block of its own. */
export async function setPrice(chain: LocalChain, symbol: 'tAUD' | 'tEUR', answer: bigint): Promise<void> {
  await writeContract(connectOwner(chain).client, {
    address: chain.oracles[symbol],
    abi,
    functionName: 'updateAnswer',
    args: [answer],
  })
}
