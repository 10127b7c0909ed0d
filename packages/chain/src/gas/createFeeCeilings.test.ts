import { describe, expect, it } from 'vitest'
import { createFeeCeilings } from './createFeeCeilings.ts'

const gwei = 1_000_000_000n

const headOf = (number: number, baseFeePerGas: bigint | undefined) => ({
  number: BigInt(number),
  hash: `0x${number.toString(16).padStart(64, '0')}` as const,
  timestampSeconds: 0n,
  baseFeePerGas,
})

function observe(baseFees: readonly (bigint | undefined)[]): bigint {
  const ceilings = createFeeCeilings(84532)
  for (const [number, baseFee] of baseFees.entries()) ceilings.observe(headOf(number, baseFee))
  return ceilings.get().maxBaseFeeWei
}

describe('createFeeCeilings', () => {
  it('the ceiling of the base fee is four times the base fee of the newest block, or eight times the median', () => {
    expect(observe([2n * gwei, 2n * gwei, 2n * gwei, 10n * gwei])).toBe(40n * gwei)
    expect(observe([3n * gwei, 3n * gwei, 3n * gwei, gwei])).toBe(24n * gwei)
  })

  it('the ceiling of the base fee is at least one gwei, and at most the ceiling of the network', () => {
    expect(observe([7n])).toBe(gwei)
    expect(observe([10_000n * gwei])).toBe(500n * gwei)
  })

  it('only the ceiling of the network counts while no block has a base fee', () => {
    expect([observe([]), observe([undefined])]).toEqual([500n * gwei, 500n * gwei])
  })

  it('a block that is observed again counts once', () => {
    const ceilings = createFeeCeilings(84532)
    ceilings.observe(headOf(1, 3n * gwei))
    ceilings.observe(headOf(2, gwei))
    for (let repeated = 0; repeated < 5; repeated += 1) ceilings.observe(headOf(2, gwei))
    expect(ceilings.get().maxBaseFeeWei).toBe(24n * gwei)
  })
})
