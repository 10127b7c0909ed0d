import { expect, it } from 'vitest'
import { createLoggedAddress } from './createLoggedAddress.ts'

const exchange = { request: new Request('http://service/'), address: '192.0.2.1' }

it('the log names the address of a client not at all, as a hash of this process, or in full', () => {
  const [off, hash, otherHash, full] = (['off', 'hash', 'hash', 'full'] as const).map((logAddress) =>
    createLoggedAddress({ logAddress, trustedProxies: 0 })?.(exchange),
  )
  expect([off, full]).toEqual([undefined, '192.0.2.1'])
  expect(hash).toMatch(/^[\da-f]{16}$/)
  expect(otherHash).not.toBe(hash)
})
