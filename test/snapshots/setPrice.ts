import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { connectOwner } from '../stack/connectOwner.ts'

const abi = parseAbi(['function updateAnswer(int256 answer)'])

/** Sets a price, in dollars with 8 decimals, in a block of its own. */
export async function setPrice(chain: LocalChain, symbol: 'tAUD' | 'tEUR', answer: bigint): Promise<void> {
  const data = encodeFunctionData({ abi, functionName: 'updateAnswer', args: [answer] })
  await connectOwner(chain).send(chain.oracles[symbol], data)
}
