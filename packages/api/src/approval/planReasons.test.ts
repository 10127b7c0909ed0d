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
      "Sets the allowance of 5.000000 tAUD to zero first, because the token cannot replace a nonzero allowance by another.",
      "Approves the router for exactly 1000.500000 tAUD.",
      "Approves the router for exactly 1000.500000 tAUD, because you prefer a transaction.",
      "Approves the router for exactly 1000.500000 tAUD, because only the router accepts signatures.",
      "Approves the router for exactly 1000.500000 tAUD, so that later conversions can be paid by signature.",
      "Approves the router for exactly 1000.500000 tAUD, because the router of this network does not accept signatures.",
      "Approves the router for exactly 1000.500000 tAUD, because tAUD does not support signatures.",
      "Approves the router for exactly 1000.500000 tAUD, because the code of your account does not verify signatures.",
      "Approves the router for exactly 1000.500000 tAUD, because tAUD does not support signatures.",
      "Approves the router for exactly 1000.500000 tAUD, because tAUD does not support signatures, and Permit2 does not support unlimited amounts.",
      "Approves the router for exactly 1000.500000 tAUD, because tAUD does not support signatures, and Permit2 pays only quotes.",
      "Approves the router for exactly 1000.500000 tAUD, because tAUD does not support signatures, and the allowance of Permit2 is too low.",
      "Your signature replaces an approval: it lets the router take at most 1000.500000 tAUD, and the conversion carries it.",
      "Your signature replaces an approval: it lets the router take at most 1000.500000 tAUD, and the conversion carries it; if it is refused because your account has code, use the fallback.",
      "Your signature replaces an approval: it pays at most 1000.500000 tAUD through Permit2, only for this conversion.",
      "Your signature replaces an approval: it pays at most 1000.500000 tAUD through Permit2, only for this conversion; if it is refused because your account has code, use the fallback.",
    ]
  `)
  expect(unlimited.permit(false)).toContain('any amount of tAUD, now and later')
})
