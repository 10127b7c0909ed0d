import { routerAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, parseUnits } from 'viem'
import { expect } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { readAtBlock, type Answer } from '../harness/readAtBlock.ts'
import type { AgioStack } from '../harness/startAgio.ts'
import { toDecimal } from '../harness/toPreview.ts'

/** The outcome of a preview. */
export type Preview = {
  readonly conversion: Conversion
  readonly status: number
  readonly code: unknown
  readonly blockNumber: number
  readonly amountOut: string
}

/** Requests a number of previews concurrently, of all conversions in turn: every fifth over tRPC, the others over REST. */
export function requestPreviews(
  { callers }: AgioStack,
  chain: LocalChain,
  number: number,
): readonly Promise<Preview>[] {
  const conversions = listConversions(chain)
  return Array.from({ length: number }, async (_, index) => {
    const conversion = conversions[index % conversions.length] as Conversion
    const call = index % 5 === 4 ? callers.tRPC : callers.REST
    const { status, data, failure } = await call('convert.preview', { chainId: chain.chainId, ...conversion })
    return {
      conversion,
      status,
      code: failure?.code,
      blockNumber: Number(data?.['blockNumber']),
      amountOut: String(data?.['amountOut']),
    }
  })
}

type Conversion = { readonly tokenIn: Address; readonly tokenOut: Address; readonly amountIn: string }

/** Lists conversions both ways through each pool and through both, so that every price and reserve matters. */
function listConversions({ tokens: { tAUD, tEUR, tUSD } }: LocalChain): readonly Conversion[] {
  return [
    { tokenIn: tAUD, tokenOut: tUSD, amountIn: '1000' },
    { tokenIn: tUSD, tokenOut: tAUD, amountIn: '0.7' },
    { tokenIn: tEUR, tokenOut: tUSD, amountIn: '12345.678901' },
    { tokenIn: tUSD, tokenOut: tEUR, amountIn: '99.99' },
    { tokenIn: tAUD, tokenOut: tEUR, amountIn: '31415.926535' },
    { tokenIn: tEUR, tokenOut: tAUD, amountIn: '2.5' },
  ]
}

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

/** Asserts that each preview succeeded and equals the router's view at the block that it names; returns those blocks. */
export async function expectViews(chain: LocalChain, previews: readonly Preview[]): Promise<readonly number[]> {
  expect(previews.filter(({ status }) => status !== 200)).toEqual([])
  const byBlock = Map.groupBy(previews, ({ blockNumber }) => blockNumber)
  for (const [blockNumber, ofBlock] of byBlock) {
    const conversions = ofBlock.map(({ conversion }) => conversion)
    const distinct = [...new Set(conversions.map((conversion) => JSON.stringify(conversion)))]
    const views = await readViews(
      chain,
      distinct.map((text) => JSON.parse(text) as (typeof conversions)[number]),
      blockNumber,
    )
    const found = new Map(distinct.map((text, index) => [text, views[index]]))
    const differing = ofBlock.filter(({ conversion, amountOut }) => amountOut !== found.get(JSON.stringify(conversion)))
    expect(differing, `block ${blockNumber}: ${JSON.stringify(Object.fromEntries(found))}`).toEqual([])
  }
  return [...byBlock.keys()].sort((one, other) => one - other)
}
