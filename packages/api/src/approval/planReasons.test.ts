import { expect, it } from 'vitest'
import { createPlanReasons } from './planReasons.ts'

const token = {
  address: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  symbol: 'tAUD',
  name: 'Test Australian Dollar',
  decimals: 6,
} as const

const subject = { token, requiredRaw: 1_000_500_000n, isUnlimited: false, spender: 'the router' }

const obstacles = [
  'preferred',
  'not-router',
  'is-permit2',
  'router',
  'token',
  'account',
  'no-permit2',
  'unlimited',
  'no-quote',
  'permit2-allowance',
] as const

it('each reason is one sentence that names what may be taken', () => {
  const limited = createPlanReasons(subject)
  const unlimited = createPlanReasons({ ...subject, isUnlimited: true })
  const sentences = [limited, unlimited].flatMap(({ reset, approve, permit, permit2 }) => [
    reset(5_000_000n),
    approve(),
    ...obstacles.map(approve),
    permit(false),
    permit(true),
    permit2(false),
    permit2(true),
  ])
  for (const sentence of sentences) {
    expect(sentence).toMatch(/^[A-Z][^.]*(\d\.\d{6} [^.]*)?\.$/)
    expect(sentence).toMatch(/tAUD/)
  }
  expect(sentences.slice(0, 16)).toMatchInlineSnapshot(`
    [
      "Sets the allowance of 5.000000 tAUD to zero first, because the token refuses to replace it by another.",
      "Approves the router for exactly 1000.500000 tAUD.",
      "Approves the router for exactly 1000.500000 tAUD, as you prefer a transaction.",
      "Approves the router for exactly 1000.500000 tAUD, since only the router takes signatures.",
      "Approves the router for exactly 1000.500000 tAUD, so that signatures may pay conversions from then on.",
      "Approves the router for exactly 1000.500000 tAUD, since the router of this network takes no signatures.",
      "Approves the router for exactly 1000.500000 tAUD, since tAUD takes no signatures.",
      "Approves the router for exactly 1000.500000 tAUD, since your account has code that checks no signatures.",
      "Approves the router for exactly 1000.500000 tAUD, since tAUD takes no signatures.",
      "Approves the router for exactly 1000.500000 tAUD, since tAUD takes no signatures itself, and Permit2 none for any amount.",
      "Approves the router for exactly 1000.500000 tAUD, since tAUD takes no signatures itself, and Permit2 pays quotes only.",
      "Approves the router for exactly 1000.500000 tAUD, since tAUD takes no signatures itself, and Permit2 may not take this amount.",
      "Your signature takes the place of an approval: it lets the router take at most 1000.500000 tAUD, and the conversion carries it.",
      "Your signature takes the place of an approval: it lets the router take at most 1000.500000 tAUD, and the conversion carries it; use the fallback should it be refused because your account has code.",
      "Your signature takes the place of an approval: it pays at most 1000.500000 tAUD through Permit2, for this one conversion.",
      "Your signature takes the place of an approval: it pays at most 1000.500000 tAUD through Permit2, for this one conversion; use the fallback should it be refused because your account has code.",
    ]
  `)
  expect(unlimited.permit(false)).toContain('any amount of tAUD, now and later')
})
