import { expect, it } from 'vitest'
import { isAccountOf } from './isAccountOf.ts'
import { toStep } from './testSteps.ts'

const account = '0xAb00000000000000000000000000000000000003'
const needed = { kind: 'convert', status: 'needed' } as const

it('a conversion is resumed with the account that started it, in any letter case', () => {
  expect(isAccountOf(toStep(needed, { account }), account.toLowerCase())).toBe(true)
  expect(isAccountOf(toStep(needed, { account }), '0x0000000000000000000000000000000000000004')).toBe(false)
})

it('a conversion whose wallet named no account is resumed with any account', () => {
  expect(isAccountOf(toStep(needed, { account: '0x0000000000000000000000000000000000000000' }), account)).toBe(true)
})
