import type { Pool } from '@agio/core'
import { keccak256, maxUint256, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { chooseProbe } from './chooseProbe.ts'

const wad = 10n ** 18n
const address = '0x1000000000000000000000000000000000000001'
const hashes = Array.from({ length: 400 }, (_, number) => keccak256(numberToHex(number)))
const fixed = (hundredths: bigint) => (hundredths << 64n) / 100n

describe('chooseProbe', () => {
  it('the probes of a pool that was not read yet are spread over both directions and all zones', () => {
    const probes = hashes.map((hash) => chooseProbe(address, hash, undefined))
    for (const paysBase of [true, false]) {
      const shares = probes.filter((probe) => probe.paysBase === paysBase).map(({ share }) => share)
      expect(shares.filter((share) => share <= (wad * 35n) / 100n).length).toBeGreaterThan(20)
      expect(shares.filter((share) => share > (wad * 35n) / 100n && share <= wad / 2n).length).toBeGreaterThan(50)
      expect(shares.filter((share) => share > wad / 2n).length).toBeGreaterThan(20)
    }
  })

  it('the zones of a pool out of balance follow from its last state', () => {
    const shares = (paysBase: boolean) =>
      hashes
        .map((hash) => chooseProbe(address, hash, poolOf(3n * 10n ** 12n)))
        .filter((probe) => probe.paysBase === paysBase)
    // Three quarters of the value are in the base token: it is at its halt.
    expect(shares(true).every(({ share }) => share <= 2n)).toBe(true)
    expect(shares(false).some(({ share }) => share > wad)).toBe(true)
  })

  it('an absurd price leaves a probe that fits a word', () => {
    for (const hash of hashes) {
      const { share } = chooseProbe(address, hash, poolOf(10n ** 12n, 2n ** 255n - 1n))
      expect(share).toBeGreaterThan(0n)
      expect(share).toBeLessThan(maxUint256 / 10n ** 40n)
    }
  })
})

function poolOf(baseReserve: bigint, answer = 10n ** 8n): Pool.Pool {
  const sideOf = (reserve: bigint, price: bigint) => ({
    token: { address, symbol: 'T', name: 'T', decimals: 6 } as const,
    reserve,
    price: { oracle: null, answer: price, updatedAtSeconds: 1n, maxAgeSeconds: 1n },
  })
  const side = { balanceRaw: 10n ** 12n, answer: 10n ** 8n, oracleDecimals: 8, tokenDecimals: 6 }
  const parameters = { alpha: fixed(50n), beta: fixed(35n), delta: fixed(50n), epsilon: 0n, lambda: fixed(30n) }
  return {
    address,
    base: sideOf(baseReserve, answer),
    quote: sideOf(10n ** 12n, 10n ** 8n),
    totalSupply: 0n,
    alpha: 5n * 10n ** 17n,
    epsilon: 0n,
    frozen: false,
    pricing: 'curve',
    curve: { ...parameters, sides: [{ ...side, balanceRaw: baseReserve, answer }, side] },
  }
}
