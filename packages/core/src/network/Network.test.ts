import { expect, it } from 'vitest'
import * as Network from './Network.ts'

it('every network of the table has its own chain id and slug', () => {
  for (const field of ['chainId', 'slug'] as const) {
    expect(new Set(Network.all.map((network) => network[field])).size).toBe(Network.all.length)
  }
})

it('local chains take consecutive ports in the order of the table, or all of them port 0', () => {
  expect(Network.chainIds.map((chainId) => Network.toLocalRpcPort(chainId))).toEqual(
    Network.chainIds.map((_, index) => 8545 + index),
  )
  expect(Network.chainIds.map((chainId) => Network.toLocalRpcPort(chainId, 9000))).toEqual(
    Network.chainIds.map((_, index) => 9000 + index),
  )
  expect(Network.chainIds.map((chainId) => Network.toLocalRpcPort(chainId, 0))).toEqual(Network.chainIds.map(() => 0))
})
