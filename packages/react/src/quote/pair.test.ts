import type { NamedToken } from '@agio/sdk'
import { expect, it } from 'vitest'
import { choosePair, findPair } from './pair.ts'

const [usd, aud, eur] = ['0x1', '0x2', '0x3'] as const
const audToUsd = { tokenIn: aud, tokenOut: usd }
const local = [
  { address: usd, symbol: 'tUSD' },
  { address: eur, symbol: 'tEUR' },
  { address: aud, symbol: 'tAUD' },
]
const others = [
  { address: usd, symbol: 'USDC' },
  { address: eur, symbol: 'EURC' },
]

it('shows tAUD to tUSD first, or the first token to the reference dollar', () => {
  expect(choosePair(undefined, { tokens: local, referenceToken: usd })).toEqual(audToUsd)
  expect(choosePair(undefined, { tokens: others, referenceToken: usd })).toEqual({ tokenIn: eur, tokenOut: usd })
})

it('a stored selection stays, unless its network does not have the tokens', () => {
  const stored = { tokenIn: eur, tokenOut: aud }
  expect(choosePair(stored, { tokens: local, referenceToken: usd })).toEqual(stored)
  expect(choosePair(stored, { tokens: others, referenceToken: usd })?.tokenOut).toBe(usd)
})

it('a network with fewer than two tokens has no pair', () => {
  expect(choosePair(undefined, { tokens: [], referenceToken: usd })).toBeUndefined()
  expect(choosePair(undefined, { tokens: local.slice(0, 1), referenceToken: usd })).toBeUndefined()
})

const named = ['tUSD', 'tAUD', 'tEUR'].map((symbol, at) => ({ symbol, address: `0x${at}` })) as unknown as NamedToken[]

it.each([
  [{}, 'tAUD', 'tUSD'],
  [{ tokenOut: 'tAUD' }, 'tUSD', 'tAUD'],
  [{ tokenIn: 'tUSD' }, 'tUSD', 'tAUD'],
  [{ tokenIn: 'tEUR', tokenOut: 'tEUR' }, 'tEUR', 'tUSD'],
] as const)('the terms %j choose two tokens: %s and %s', (terms, tokenIn, tokenOut) => {
  expect(findPair(named, terms).map((token) => token?.symbol)).toEqual([tokenIn, tokenOut])
})
