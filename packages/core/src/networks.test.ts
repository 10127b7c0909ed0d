import { expect, it } from 'vitest'
import { chainIds, mapChains, networks, toLocalRpcPort } from './networks.ts'

it('every network of the table has its own chain id and slug', () => {
  for (const field of ['chainId', 'slug'] as const) {
    expect(new Set(networks.map((network) => network[field])).size).toBe(networks.length)
  }
})

it('mapChains returns one value for each network', () => {
  expect(mapChains((chainId, { slug }) => `${chainId} ${slug}`)).toEqual(
    Object.fromEntries(networks.map(({ chainId, slug }) => [chainId, `${chainId} ${slug}`])),
  )
})

it('local chains take consecutive ports in the order of the table', () => {
  expect(chainIds.map((chainId) => toLocalRpcPort(chainId))).toEqual(chainIds.map((_, index) => 8545 + index))
  expect(chainIds.map((chainId) => toLocalRpcPort(chainId, 9000))).toEqual(chainIds.map((_, index) => 9000 + index))
})

it('port 0 stays port 0 for every local chain', () => {
  expect(chainIds.map((chainId) => toLocalRpcPort(chainId, 0))).toEqual(chainIds.map(() => 0))
})
