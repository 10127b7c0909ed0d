import { expect, it } from 'vitest'
import { isAccountOf } from './isAccountOf.ts'
import { toStep } from './testSteps.ts'

const account = '0xAb00000000000000000000000000000000000003'
const needed = { kind: 'convert', status: 'needed' } as const

it('a conversion goes on with the account that it began with, in any letter case', () => {
  expect(isAccountOf(toStep(needed, { account }), account.toLowerCase())).toBe(true)
  expect(isAccountOf(toStep(needed, { account }), '0x0000000000000000000000000000000000000004')).toBe(false)
})

it('a conversion whose wallet named no account goes on with any', () => {
  expect(isAccountOf(toStep(needed, { account: '0x0000000000000000000000000000000000000000' }), account)).toBe(true)
})
