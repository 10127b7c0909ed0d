import { expect, it } from 'vitest'
import { describePlan } from './describePlan.ts'

it.each([
  [['permit'], 'The conversion will ask for one signature first.'],
  [['permit2'], 'The conversion will ask for one signature first.'],
  [['approve'], 'The conversion will ask for an approval first.'],
  [['reset', 'approve'], 'The conversion will ask to reset the approval, and for a new one, first.'],
  [[], 'The token is approved by now.'],
] as const)('the steps %j are described as: %s', (kinds, words) => {
  expect(describePlan(kinds.map((kind) => ({ kind })))).toBe(words)
})

it('unknown steps are a signature or an approval', () => {
  expect(describePlan(undefined)).toBe('The conversion will ask for a signature or an approval first.')
})
