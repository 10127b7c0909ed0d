import { Hop, type Pool } from '@agio/core'
import { expect, it } from 'vitest'
import { fromQuotedHops, toQuotedHops } from './QuoteTerms.ts'

function sideOf(address: `0x${string}`, decimals: number, answer: bigint): Pool.Pool['base'] {
  const price = { oracle: null, answer, updatedAtSeconds: 0n, maxAgeSeconds: 3600n }
  return { token: { address, symbol: 'T', name: 'Token', decimals }, reserve: 10n ** 24n, price }
}

it("a quote carries the prices, fees and decimals of its route's pools, to the last digit and in the route's direction", () => {
  const [aud, usd, eur] = ['0xa', '0xb', '0xc'] as const
  const common = { totalSupply: 10n ** 24n, alpha: 5n * 10n ** 17n, frozen: false, quote: sideOf(usd, 6, 100_000_000n) }
  const [large, small] = [2n ** 200n + 1n, 10n ** 15n + 1n]
  const first = {
    ...common,
    address: '0x1',
    base: sideOf(aud, 18, large),
    epsilon: small,
    pricing: 'on-chain',
  } as const
  const second = { ...common, address: '0x2', base: sideOf(eur, 2, 108n), epsilon: 5n, pricing: 'local' } as const
  const hops = toQuotedHops([Hop.from(first, aud, usd), Hop.from(second, usd, eur)])
  const routed = { pool: first.address, tokenIn: aud, tokenOut: usd }
  expect(hops).toMatchObject([routed, { pool: second.address, tokenIn: usd, tokenOut: eur }])
  const sold = { tokenInAnswer: large, tokenOutAnswer: 100_000_000n, decimalsIn: 18, decimalsOut: 6 }
  const bought = { tokenInAnswer: 100_000_000n, tokenOutAnswer: 108n, decimalsIn: 6, decimalsOut: 2 }
  expect(fromQuotedHops(JSON.parse(JSON.stringify(hops)))).toEqual([
    { ...sold, epsilon: small, pricing: 'on-chain' },
    { ...bought, epsilon: 5n, pricing: 'local' },
  ])
})
