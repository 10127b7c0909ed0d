import { expect, it } from 'vitest'
import { formatImpact } from './formatImpact.ts'

it.each([
  [0n, 651_200_000n, '0.0000%'],
  [-6_512_000n, 651_200_000n, '-1.0000%'],
  [6_512_000n, 651_200_000n, '1.0000%'],
  [-1n, 2_000_000n, '-0.0001%'],
  [-1n, 2_000_001n, '0.0000%'],
  [-3n, 1n, '-300.0000%'],
  [-5n, 0n, '0.0000%'],
])('an impact of %i on an oracle amount of %i is %s', (impactRaw, oracleAmountOutRaw, text) => {
  expect(formatImpact({ impactRaw, oracleAmountOutRaw })).toBe(text)
})
