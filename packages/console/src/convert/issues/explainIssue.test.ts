import { expect, it } from 'vitest'
import { explainIssue, describePlan } from './explainIssue.ts'

const symbols = { tokenIn: { symbol: 'tAUD' }, native: { symbol: 'ETH' } }
const issue = { message: 'Cannot convert', required: '1000.5', current: '0.000000' } as const

it('a missing balance can be filled by the faucet, and keeps the conversion from starting', () => {
  expect(explainIssue({ ...issue, code: 'svc/insufficient-balance' }, symbols)).toEqual({
    title: 'The wallet does not hold enough tAUD',
    text: 'It holds 0.000000 tAUD, but 1,000.5 tAUD is needed.',
    remedy: 'fund',
    obstacle: 'The wallet does not hold enough tAUD.',
  })
})

it('a missing allowance keeps nothing from starting: conversions approve by themselves', () => {
  const { remedy, obstacle } = explainIssue({ ...issue, code: 'svc/insufficient-allowance' }, symbols)
  expect({ remedy, obstacle }).toEqual({ remedy: 'approve', obstacle: undefined })
})

it('gas is of the native currency, and has no remedy on the page', () => {
  const { text, remedy, obstacle } = explainIssue({ ...issue, code: 'svc/insufficient-gas' }, symbols)
  expect(text).toBe('It holds 0.000000 ETH, but gas may cost up to 1,000.5 ETH.')
  expect({ remedy, obstacle }).toEqual({
    remedy: undefined,
    obstacle: 'The wallet does not hold enough ETH for gas.',
  })
})

it.each(['svc/below-min-target', 'svc/above-max-input'] as const)('%s asks for a new quote', (code) => {
  expect(explainIssue({ ...issue, code }, symbols)).toMatchObject({ remedy: 'requote', text: 'Cannot convert' })
})

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
