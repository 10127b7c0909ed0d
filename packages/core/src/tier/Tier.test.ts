import { expect, it } from 'vitest'
import * as Tier from './Tier.ts'

it('the budget of a tier is the most that calls at the highest cost, full streams and all followed transactions cause', () => {
  // 2 windows of calls x 45, and 5 for each look: 200 topics and 1000 followed transactions, with growing intervals.
  expect(Tier.toNodeBudget(limitsOf('standard'))).toEqual({
    limit: 2 * 100 * 45 + 5 * (200 * 11 + 1000 * 8),
    reserved: 9000,
    windowSeconds: 900,
  })
  expect(Tier.toNodeBudget(limitsOf('sandbox')).limit).toBe(2 * 100 * 45 + 5 * (200 * 6 + 1000 * 4))
  expect(Tier.toNodeBudget(limitsOf('staging')).limit).toBe(2 * 500 * 45 + 5 * (200 * 6 + 1000 * 4))
})

it('a key with more streams has a larger budget for them', () => {
  const limits = limitsOf('standard')
  const { limit, reserved } = Tier.toNodeBudget({ ...limits, streams: 20 })
  expect(limit - Tier.toNodeBudget(limits).limit).toBe(5 * 200 * 11)
  expect(reserved).toBe(9000)
})

function limitsOf(tier: Tier.Tier): Tier.Limits {
  const limits = Tier.findLimits(tier)
  if (!limits) throw new Error(`The tier ${tier} has no limits`)
  return limits
}
