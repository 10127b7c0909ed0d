import { Hop, type Pool, type Token } from '@agio/core'
import { expect, it } from 'vitest'
import { fromQuotedHops, toQuotedHops } from './QuoteTerms.ts'

const token = (digit: number, decimals: number): Token => ({
  address: `0x${'0'.repeat(39)}${digit}`,
  symbol: `T${digit}`,
  name: `Token ${digit}`,
  decimals,
})

const [usd, aud, eur] = [token(1, 6), token(2, 18), token(3, 2)]

const sideOf = (of: Token, answer: bigint): Pool.Pool['base'] => ({
  token: of,
  reserve: 10n ** 24n,
  price: { oracle: null, answer, updatedAtSeconds: 0n, maxAgeSeconds: 3600n },
})

const poolOf = (base: Pool.Pool['base'], epsilon: bigint, pricing: Pool.Pool['pricing']): Pool.Pool => ({
  address: base.token.address.replace('0x0', '0xa') as `0x${string}`,
  base,
  quote: sideOf(usd, 100_000_000n),
  totalSupply: 10n ** 24n,
  alpha: 5n * 10n ** 17n,
  epsilon,
  frozen: false,
  pricing,
})

it("a quote carries the prices, fees and decimals of its route's pools, to the last digit and in the route's direction", () => {
  const first = Hop.from(poolOf(sideOf(aud, 2n ** 200n + 1n), 10n ** 15n, 'on-chain'), aud.address, usd.address)
  const second = Hop.from(poolOf(sideOf(eur, 108_450_000n), 5n * 10n ** 14n, 'local'), usd.address, eur.address)
  const hops = toQuotedHops([first, second])
  expect(hops.map(({ pool }) => pool)).toEqual([first.pool.address, second.pool.address])
  expect(hops.map(({ tokenIn, tokenOut }) => [tokenIn, tokenOut])).toEqual([
    [aud.address, usd.address],
    [usd.address, eur.address],
  ])
  const priced = [
    {
      tokenInAnswer: 2n ** 200n + 1n,
      tokenOutAnswer: 100_000_000n,
      epsilon: 10n ** 15n,
      decimalsIn: 18,
      decimalsOut: 6,
      pricing: 'on-chain',
    },
    {
      tokenInAnswer: 100_000_000n,
      tokenOutAnswer: 108_450_000n,
      epsilon: 5n * 10n ** 14n,
      decimalsIn: 6,
      decimalsOut: 2,
      pricing: 'local',
    },
  ]
  expect(fromQuotedHops(JSON.parse(JSON.stringify(hops)))).toEqual(priced)
  expect(fromQuotedHops(toQuotedHops([second]))).toEqual(priced.slice(1))
})
