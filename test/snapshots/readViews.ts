import { routerAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, parseUnits } from 'viem'
import { readAtBlock, type Answer } from '../harness/readAtBlock.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import type { Conversion } from './listConversions.ts'

/** Returns the result of the router's view for each conversion at a block, formatted as previews format it. */
export async function readViews(
  { rpcUrl, deployment }: LocalChain,
  conversions: readonly Conversion[],
  blockNumber: number,
): Promise<readonly string[]> {
  const { referenceToken, router: target } = deployment
  const calls = conversions.map(({ tokenIn, tokenOut, amountIn }) => {
    const args = [referenceToken, tokenIn, tokenOut, parseUnits(amountIn, 6)] as const
    return { target, data: encodeFunctionData({ abi: routerAbi, functionName: 'viewOriginSwap', args }) }
  })
  return (await readAtBlock(connectOwner({ rpcUrl }).client, { at: blockNumber, calls })).map(toText)
}

function toText(answer: Answer): string {
  return typeof answer === 'bigint' ? toDecimal(answer, 6) : answer
}
