import { chainIds, chainNames } from '@agio/core'
import { arbitrumSepolia, baseSepolia } from 'viem/chains'
import { expect, it } from 'vitest'

// The service has the names for itself: the list that they are taken from holds every network there is, in 13 MB of memory.
it('networks are called what viem calls them', () => {
  expect([baseSepolia, arbitrumSepolia].map(({ id }) => id)).toEqual(chainIds)
  for (const { id, name } of [baseSepolia, arbitrumSepolia]) expect(chainNames[id]).toBe(name)
})
