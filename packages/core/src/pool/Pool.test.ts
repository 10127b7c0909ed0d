import { expect, it } from 'vitest'
import { aud, eur, poolOf, usd } from '../../test/pools.fixture.ts'
import * as Pool from './Pool.ts'

const [audUsd, eurUsd] = [poolOf(aud, usd), poolOf(eur, usd)]
const [audAddress, eurAddress, usdAddress] = [aud.token.address, eur.token.address, usd.token.address]

it('the pool index finds a pool by its address, and by its tokens in either order', () => {
  const pools = [
    { ...audUsd, address: '0x01' },
    { ...eurUsd, address: '0x02' },
  ] as const
  expect(Pool.find(pools, '0x02')).toBe(pools[1])
  expect(Pool.find(pools, '0x03')).toBeUndefined()
  expect(Pool.findByTokens(pools, audAddress, usdAddress)).toBe(pools[0])
  expect(Pool.findByTokens(pools, usdAddress, audAddress)).toBe(pools[0])
  expect(Pool.findByTokens(pools, audAddress, eurAddress)).toBeUndefined()
})

it('the pool index finds the first of two pools with the same tokens, as the router does', () => {
  const pools = [audUsd, poolOf(aud, usd)]
  expect(Pool.findByTokens(pools, usdAddress, audAddress)).toBe(pools[0])
})
