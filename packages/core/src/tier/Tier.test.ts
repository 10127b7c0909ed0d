import { expect, it } from 'vitest'
import * as Tier from './Tier.ts'

it('the budget of a tier is the most that calls at the highest cost, full streams and all followed transactions cause', () => {
  // 2 windows of calls x 45, and 5 for each poll at 200 topics, 1000 registered and 200 broadcast transactions.
  expect(Tier.toNodeBudget(limitsOf('standard'))).toEqual({
    limit: 2 * 100 * 45 + 5 * (200 * (11 + 3) + (1000 + 2 * 100) * (8 + 3)),
    reserved: 9000,
    windowSeconds: 900,
  })
  expect(Tier.toNodeBudget(limitsOf('sandbox')).limit).toBe(2 * 100 * 45 + 5 * (200 * 9 + 1200 * 7))
  expect(Tier.toNodeBudget(limitsOf('staging')).limit).toBe(2 * 500 * 45 + 5 * (200 * 9 + 2000 * 7))
})

it('a key with more streams has a larger budget for them', () => {
  const limits = limitsOf('standard')
  const { limit, reserved } = Tier.toNodeBudget({ ...limits, streams: 20 })
  expect(limit - Tier.toNodeBudget(limits).limit).toBe(5 * 200 * 14)
  expect(reserved).toBe(9000)
})

function limitsOf(tier: Tier.Tier): Tier.Limits {
  const limits = Tier.findLimits(tier)
  if (!limits) throw new Error(`The tier ${tier} has no limits`)
  return limits
}
