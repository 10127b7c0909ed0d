import { expect, it } from 'vitest'
import { parseContracts } from './PinnedContracts.ts'

const router = '0x825C5C30E86a1055B4c611Fb6d779551D1E1B4dE'

it('addresses are compared without their letter case', () => {
  const contracts = parseContracts({ 84532: { router, pools: [router], tokens: { [router]: 6 } } })
  const address = router.toLowerCase()
  const pins = { router: address, factory: undefined, pools: new Set([address]), tokens: new Map([[address, 6]]) }
  expect(contracts).toEqual(new Map([[84532, pins]]))
})

it.each([
  [{ router }, 'contracts.router: its keys are chain ids'],
  [{ 84532: { router: '0x12' } }, 'contracts.84532.router: it is not an address'],
  [{ 84532: { router, factory: 'factory' } }, 'contracts.84532.factory: it is not an address'],
  [{ 84532: { router, pools: router } }, 'contracts.84532.pools: it is not an array of addresses'],
  [{ 84532: { router, pools: ['pool'] } }, 'contracts.84532.pools.0: it is not an address'],
  [{ 84532: { router, tokens: { tAUD: 6 } } }, 'contracts.84532.tokens: it is not an address'],
  [{ 84532: { router, tokens: { [router]: '6' } } }, 'it is not the decimals of a token'],
  [{ 84532: { chainId: 421614, router } }, 'contracts.84532: it is not a deployment to chain 84532'],
  ['services', 'contracts: it is not an object'],
])('error: TypeError for the contracts %j', (contracts, flaw) => {
  const act = () => parseContracts(contracts as never)
  expect(act).toThrow(TypeError)
  expect(act).toThrow(flaw)
})
