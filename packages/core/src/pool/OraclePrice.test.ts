import { describe, expect, it } from 'vitest'
import * as OraclePrice from './OraclePrice.ts'
import * as PriceFault from './PriceFault.ts'

const [oracle, feed] = [
  '0x00000000000000000000000000000000000000A1',
  '0x00000000000000000000000000000000000000A2',
] as const
const nowSeconds = 1_800_000_000n
const price = { oracle, answer: 65_120_000n, updatedAtSeconds: nowSeconds, maxAgeSeconds: 3600n }
const reference = { ...price, oracle: null, answer: 100_000_000n }

const bounds = { minAnswer: 13_024_000n, maxAnswer: 325_600_000n }
const outOfBounds = { reason: 'bounds', feed: oracle, answer: 651_200_000n, ...bounds } as const
const tooLargeStep = {
  reason: 'step',
  feed: oracle,
  answer: 112_657_600n,
  previousAnswer: 65_120_000n,
  maxStep: 125_000_000_000_000_000n,
} as const
const depeg = { reason: 'depeg', feed, answer: 97_000_000n, minAnswer: 98_000_000n, maxAnswer: 102_000_000n } as const
const restarted = {
  reason: 'sequencer',
  feed,
  answer: 0n,
  startedAtSeconds: nowSeconds - 600n,
  gracePeriodSeconds: 3600n,
} as const
const down = { ...restarted, answer: 1n }

describe('the fault of a price', () => {
  const reasonOf = (of: OraclePrice.OraclePrice) => OraclePrice.findFault(of, nowSeconds)?.reason

  it.each([
    ['none for a recent positive price', price, undefined],
    ['none at the maximum age', { ...price, updatedAtSeconds: nowSeconds - 3600n }, undefined],
    ['the age one second later', { ...price, updatedAtSeconds: nowSeconds - 3601n }, 'age'],
    ['the age for a price that was never set', { ...price, updatedAtSeconds: 0n }, 'age'],
    ['the age for a price from the future', { ...price, updatedAtSeconds: nowSeconds + 1n }, 'age'],
    ['invalid at zero, at any age', { ...price, answer: 0n, updatedAtSeconds: 0n }, 'invalid'],
    ['none for the reference token at any time', { ...reference, updatedAtSeconds: 0n }, undefined],
    ['the bounds if the contract says so', { ...price, fault: outOfBounds }, 'bounds'],
    ['the step if the contract says so', { ...price, fault: tooLargeStep }, 'step'],
    ['the age before the bounds', { ...price, updatedAtSeconds: 1n, fault: outOfBounds }, 'age'],
    ['the sequencer before everything else', { ...price, answer: 0n, updatedAtSeconds: 1n, fault: down }, 'sequencer'],
    ['the peg of the reference token', { ...reference, fault: depeg }, 'depeg'],
  ] as const)('the fault of a price is %s', (_, of, reason) => {
    expect(reasonOf(of)).toBe(reason)
    expect(OraclePrice.isValid(of, nowSeconds)).toBe(reason === undefined)
  })
})

describe('the error of a fault', () => {
  const errorOf = (fault: PriceFault.PriceFault) => {
    return PriceFault.toError(fault, { subject: 'tAUD', price, nowSeconds })
  }

  it('error: svc/reference-depegged has the price and the band as decimals', () => {
    const details = { feed, answer: '0.97000000', minAnswer: '0.98000000', maxAnswer: '1.02000000' }
    const message =
      `Cannot price tAUD: the reference token is not worth a dollar, feed ${feed} reports 0.97000000 dollars, ` +
      'outside of 0.98000000 to 1.02000000'
    expect(errorOf(depeg)).toMatchObject({ code: 'svc/reference-depegged', message, details })
  })

  it.each([
    [outOfBounds, 'reports 6.51200000, outside of 0.13024000 to 3.25600000'],
    [tooLargeStep, 'reports 1.12657600, more than 12.5 % from 0.65120000 of the round before'],
    [down, 'reports that the sequencer is down'],
    [restarted, 'reports a restart of the sequencer less than 3600 s ago'],
    [{ reason: 'invalid', feed: oracle, answer: -5n }, 'reports -5'],
    [
      { reason: 'age', feed: oracle, updatedAtSeconds: 1n, maxAgeSeconds: 60n },
      'has had no valid answer for more than 60 s',
    ],
  ] as const)('error: svc/stale-price for %o says that the oracle %s', (fault, state) => {
    const message = `Cannot price tAUD: oracle ${fault.feed} ${state}`
    expect(errorOf(fault)).toMatchObject({ code: 'svc/stale-price', message, details: { reason: fault.reason } })
  })

  it('svc/stale-price has the end of the grace period, which is unknown while the sequencer is down', () => {
    expect(errorOf(restarted).details).toMatchObject({ maxAgeSeconds: 3600, retryAfterSeconds: 3001 })
    expect(errorOf(down).details).not.toHaveProperty('retryAfterSeconds')
  })
})
