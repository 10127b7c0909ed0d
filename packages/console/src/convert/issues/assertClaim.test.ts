import { expect, it } from 'vitest'
import { assertClaim } from './assertClaim.ts'

const faucet = '0x610178dA211FEF7D417bC0e6FeD39F05609AD788'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

it('a claim calls the faucet of the network, in any letter case', () => {
  assertClaim({ to: faucet.toLowerCase() as `0x${string}`, value: '0' }, faucet)
})

it.each([
  ['another contract', { to: other, value: '0' }, faucet],
  ['with native currency', { to: faucet, value: '1' }, faucet],
  ['on a network without a faucet', { to: faucet, value: '0' }, null],
] as const)('a claim that calls %s is refused', (_, claim, of) => {
  expect(() => assertClaim(claim, of)).toThrow(expect.objectContaining({ code: 'convert/mismatch' }))
})
