import type { NamedToken } from '@agio/sdk'
import { expect, it } from 'vitest'
import { findPair } from './AgioConvert.tsx'

const tokens = ['tUSD', 'tAUD', 'tEUR'].map((symbol, at) => ({ symbol, address: `0x${at}` })) as unknown as NamedToken[]

it.each([
  [{}, 'tAUD', 'tUSD'],
  [{ tokenOut: 'tAUD' }, 'tUSD', 'tAUD'],
  [{ tokenIn: 'tUSD' }, 'tUSD', 'tAUD'],
  [{ tokenIn: 'tEUR', tokenOut: 'tEUR' }, 'tEUR', 'tUSD'],
] as const)('the terms %j choose two tokens: %s and %s', (terms, tokenIn, tokenOut) => {
  expect(findPair(tokens, terms).map((token) => token?.symbol)).toEqual([tokenIn, tokenOut])
})
