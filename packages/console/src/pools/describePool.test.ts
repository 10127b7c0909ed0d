import { expect, it } from 'vitest'
import { describePool } from './describePool.ts'

const oracles = { token0: { stale: false }, token1: { stale: false } }
const maxAmountIn = { token0: '1', token1: '1' }
const curves = { errorCodes: [], hasAny: true, wasLocal: false }

it.each([
  ['with its largest inputs is open', { oracles, maxAmountIn }, curves, 'Open'],
  ['that only its view prices is open, and priced on chain', { oracles }, curves, 'Open, priced on chain'],
  [
    'that refuses conversions as frozen is frozen, also with an old price',
    { oracles: { ...oracles, token0: { stale: true } } },
    { ...curves, errorCodes: ['svc/pool-frozen'] },
    'Frozen',
  ],
  [
    'whose curves were read before it lost its largest inputs is not priced on chain',
    { oracles },
    { ...curves, wasLocal: true },
    'Reading',
  ],
  ['without curves is being read', { oracles }, { ...curves, hasAny: false }, 'Reading'],
  [
    'whose curves cannot be read is unknown',
    { oracles },
    { ...curves, hasAny: false, errorCodes: ['svc/upstream-timeout'] },
    'Unknown',
  ],
] as const)('a pool %s', (_, pool, known, name) => {
  expect(describePool(pool, known).name).toBe(name)
})
