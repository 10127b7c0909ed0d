import { routerAbi } from '@agio/chain/abi'
import type { Address, Network } from '@agio/core'
import { parseUnits } from 'viem'
import { toDecimal } from '../harness/toPreview.ts'
import { foreignDecimals, type ForeignToken } from '../harness/deployForeignPools.ts'
import type { ForeignStack } from '../harness/startForeignStack.ts'

/** A conversion between two tokens, by symbol, of an amount in whole tokens. */
export type Conversion = { readonly from: ForeignToken; readonly to: ForeignToken; readonly amountIn: string }

/** The conversion as the input of an operation. */
export function toRequest({ market }: ForeignStack, { from, to, amountIn }: Conversion): Request {
  return { chainId: market.deployment.chainId, tokenIn: market.tokens[from], tokenOut: market.tokens[to], amountIn }
}

type Request = {
  readonly chainId: Network.ChainId
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: string
}

/** The output of a conversion by the views of the pools at a block, in whole tokens. */
export async function readForeignView(
  { market, owner }: ForeignStack,
  { from, to, amountIn }: Conversion,
  blockNumber: bigint,
): Promise<string> {
  const { referenceToken, router } = market.deployment
  const amountInRaw = parseUnits(amountIn, foreignDecimals[from])
  const amountOutRaw = await owner.client.readContract({
    address: router,
    abi: routerAbi,
    functionName: 'viewOriginSwap',
    args: [referenceToken, market.tokens[from], market.tokens[to], amountInRaw],
    blockNumber,
  })
  return toDecimal(amountOutRaw, foreignDecimals[to])
}
