import { expect, it } from 'vitest'
import { formatPolicy, formatRateLimit } from './createKeyLimiter.ts'

it('the rate limit headers list both windows, with seconds rounded up and no negative remainder', () => {
  const windows = [
    { name: 'standard', limit: 100, lengthMs: 900_000 },
    { name: 'burst', limit: 10, lengthMs: 1000 },
  ]
  const states = [
    { used: 3, endsInMs: 611_001 },
    { used: 12, endsInMs: 1000.0000001 },
  ]
  expect(formatPolicy(windows)).toBe('"standard";q=100;w=900, "burst";q=10;w=1')
  expect(formatRateLimit(windows, states)).toBe('"standard";r=97;t=612, "burst";r=0;t=1')
})
