import { expect, it } from 'vitest'
import * as Network from './Network.ts'

it('every network of the table has its own chain id and slug', () => {
  for (const field of ['chainId', 'slug'] as const) {
    expect(new Set(Network.all.map((network) => network[field])).size).toBe(Network.all.length)
  }
})

it('Network.map returns one value for each network', () => {
  expect(Network.map((chainId, { slug }) => `${chainId} ${slug}`)).toEqual(
    Object.fromEntries(Network.all.map(({ chainId, slug }) => [chainId, `${chainId} ${slug}`])),
  )
})

it('local chains take consecutive ports in the order of the table', () => {
  expect(Network.chainIds.map((chainId) => Network.toLocalRpcPort(chainId))).toEqual(
    Network.chainIds.map((_, index) => 8545 + index),
  )
  expect(Network.chainIds.map((chainId) => Network.toLocalRpcPort(chainId, 9000))).toEqual(
    Network.chainIds.map((_, index) => 9000 + index),
  )
})

it('port 0 stays port 0 for every local chain', () => {
  expect(Network.chainIds.map((chainId) => Network.toLocalRpcPort(chainId, 0))).toEqual(Network.chainIds.map(() => 0))
})
