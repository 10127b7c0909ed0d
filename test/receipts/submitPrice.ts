import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { connectOwner } from '../harness/connectOwner.ts'
import type { mineTogether } from '../harness/mineTogether.ts'

const abi = parseAbi(['function updateAnswer(int256 answer)'])

/** A transaction that sets a price, in dollars with 8 decimals, for `mineTogether`. */
export function submitPrice(
  { rpcUrl, oracles }: LocalChain,
  symbol: 'tAUD' | 'tEUR',
  answer: bigint,
): mineTogether.Submit {
  const { client } = connectOwner({ rpcUrl })
  const data = encodeFunctionData({ abi, functionName: 'updateAnswer', args: [answer] })
  return (fees) => client.sendTransaction({ to: oracles[symbol], data, gas: 200_000n, chain: null, ...fees })
}
