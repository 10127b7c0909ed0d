import { describe, expect, it } from 'vitest'
import { createFeeCeilings } from './createFeeCeilings.ts'

const gwei = 1_000_000_000n

const headOf = (number: number, baseFeePerGas: bigint | undefined) => ({
  number: BigInt(number),
  hash: `0x${number.toString(16).padStart(64, '0')}` as const,
  timestampSeconds: 0n,
  baseFeePerGas,
})

function observe(baseFees: readonly (bigint | undefined)[]) {
  const ceilings = createFeeCeilings(84532)
  for (const [number, baseFee] of baseFees.entries()) ceilings.observe(headOf(number, baseFee))
  return ceilings
}

describe('the bounds of the base fee', () => {
  const boundsOf = (baseFees: readonly (bigint | undefined)[]) => {
    const { minBaseFeeWei, maxBaseFeeWei } = observe(baseFees).get()
    return [minBaseFeeWei, maxBaseFeeWei]
  }

  it('are three quarters of the newest block, and eight times the median of recent blocks', () => {
    expect(boundsOf([gwei, gwei, gwei, 4n * gwei])).toEqual([3n * gwei, 8n * gwei])
    expect(boundsOf([...Array<bigint>(9).fill(gwei), ...Array<bigint>(9).fill(4n * gwei)])).toEqual([
      3n * gwei,
      32n * gwei,
    ])
  })

  it('have a ceiling of at least 0.01 gwei, and at most the ceiling of the network', () => {
    expect(boundsOf([7n])).toEqual([5n, gwei / 100n])
    const rise = Array.from({ length: 60 }, (_, index) => (gwei * 9n ** BigInt(index)) / 8n ** BigInt(index))
    expect(boundsOf(rise).at(-1)).toBe(500n * gwei)
  })

  it('are only the ceiling of the network while no block has a base fee', () => {
    expect([boundsOf([]), boundsOf([undefined])]).toEqual([
      [0n, 500n * gwei],
      [0n, 500n * gwei],
    ])
  })

  it('count a first block above 1 gwei as 1 gwei, and ignore blocks that jump by more than eight times', () => {
    expect(boundsOf([2n * gwei])).toEqual([(gwei * 3n) / 4n, gwei])
    expect(boundsOf([gwei, ...Array<bigint>(20).fill(8n * gwei + 1n)])).toEqual([(gwei * 3n) / 4n, 8n * gwei])
    expect(boundsOf([gwei, ...Array<bigint>(20).fill(0n)])).toEqual([(gwei * 3n) / 4n, 8n * gwei])
  })

  it('follow full blocks and empty blocks, which change the base fee by an eighth', () => {
    let baseFee = gwei / 2n
    const blocks = Array.from({ length: 80 }, (_, index) => (baseFee = (baseFee * (index < 40 ? 9n : 7n)) / 8n))
    const ceilings = createFeeCeilings(84532)
    for (const [number, value] of blocks.entries()) {
      ceilings.observe(headOf(number, value))
      expect(ceilings.get().minBaseFeeWei).toBe((value * 3n) / 4n)
      expect(ceilings.get().maxBaseFeeWei).toBeGreaterThanOrEqual((value * 9n) / 8n)
    }
  })

  it('count a block that is observed again once', () => {
    const ceilings = observe([gwei, gwei / 2n])
    for (let repeated = 0; repeated < 5; repeated += 1) ceilings.observe(headOf(1, gwei / 2n))
    expect(ceilings.get().maxBaseFeeWei).toBe(8n * gwei)
  })
})

describe('fees outside the bounds', () => {
  it('count, but do not move the bounds, if the other node fails', () => {
    const ceilings = observe([gwei, 100n * gwei])
    const bounds = ceilings.get()
    const market = { baseFee: 100n * gwei, tip: gwei }
    expect(ceilings.settle({ answers: [market], nodeCount: 2 })).toEqual(market)
    expect(ceilings.get()).toEqual(bounds)
  })

  it.each([
    ['rise', 9n * gwei, 8n * gwei],
    ['fall', gwei / 2n, (3n * gwei) / 4n],
  ])('are moved to the bounds during a %s if the first node invents a thousandfold', (_, baseFee, expected) => {
    const ceilings = observe([gwei, 1000n * gwei])
    const bounds = ceilings.get()
    const answers = [
      { baseFee: 1000n * gwei, tip: 10n * gwei },
      { baseFee, tip: 1n },
    ]
    expect(ceilings.settle({ answers, nodeCount: 2 })).toEqual({ baseFee: expected, tip: 1n })
    expect(ceilings.get()).toEqual(bounds)
  })

  it('are the base fee of the second node if the newest block agrees with it', () => {
    const answers = [0n, 90n * gwei].map((baseFee) => ({ baseFee, tip: 1n }))
    expect(observe([gwei, 100n * gwei]).settle({ answers, nodeCount: 2 })).toEqual(answers[1])
  })
})
