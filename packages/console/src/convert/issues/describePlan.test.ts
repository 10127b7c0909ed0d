import { expect, it } from 'vitest'
import { describePlan } from './describePlan.ts'

it.each([
  [['permit'], 'The conversion first asks for one signature.'],
  [['permit2'], 'The conversion first asks for one signature.'],
  [['approve'], 'The conversion first asks for an approval.'],
  [['reset', 'approve'], 'The conversion first asks you to reset the approval, then to approve again.'],
  [[], 'The token is now approved.'],
] as const)('the steps %j are described as: %s', (kinds, words) => {
  expect(describePlan(kinds.map((kind) => ({ kind })))).toBe(words)
})

it('unknown steps are a signature or an approval', () => {
  expect(describePlan(undefined)).toBe('The conversion first asks for a signature or an approval.')
})
