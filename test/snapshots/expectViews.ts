import type { LocalChain } from '@agio/localnet'
import { expect } from 'vitest'
import type { Preview } from './requestPreviews.ts'
import { readViews } from './readViews.ts'

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
