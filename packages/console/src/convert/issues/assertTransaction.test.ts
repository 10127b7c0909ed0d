import { expect, it } from 'vitest'
import { assertApproval, assertClaim } from './assertTransaction.ts'

const spender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const quote = { tokenIn: { address: token, symbol: 'tAUD', decimals: 6 }, spender, amountIn: '100' } as const
const word = (hex: string) => hex.toLowerCase().padStart(64, '0')
const approve = (amount: bigint, to = spender) =>
  `0x095ea7b3${word(to.slice(2))}${word(amount.toString(16))}` as `0x${string}`
const step = (data: `0x${string}`, to: `0x${string}` = token) =>
  ({ kind: 'approve', transaction: { to, data, value: '0' } }) as const

it('an approval of the largest input of the quote is accepted, and so is a reset', () => {
  assertApproval(step(approve(100_000_000n)), quote)
  assertApproval(step(approve(101_000_000n)), { ...quote, maxAmountIn: '101' })
  assertApproval({ ...step(approve(0n)), kind: 'reset' }, quote)
})

it.each([
  ['more', step(approve(100_000_001n)), 'data'],
  ['another spender', step(approve(100_000_000n, token)), 'data'],
  ['another token', step(approve(100_000_000n), spender), 'to'],
  ['a reset that approves', { ...step(approve(100_000_000n)), kind: 'reset' as const }, 'data'],
])('an approval of %s is refused', (_, approval, field) => {
  expect(() => assertApproval(approval, quote)).toThrow(expect.objectContaining({ code: 'convert/mismatch' }))
  expect(() => assertApproval(approval, quote)).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ field }) }),
  )
})

const faucet = '0x610178dA211FEF7D417bC0e6FeD39F05609AD788'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

it('a claim calls the faucet of the network, in any letter case', () => {
  assertClaim({ to: faucet.toLowerCase() as `0x${string}`, value: '0' }, faucet)
})

it.each([
  ['another contract', { to: other, value: '0' }, faucet],
  ['with native currency', { to: faucet, value: '1' }, faucet],
  ['on a network without a faucet', { to: faucet, value: '0' }, null],
] as const)('a claim that calls %s is refused', (_, claim, of) => {
  expect(() => assertClaim(claim, of)).toThrow(expect.objectContaining({ code: 'convert/mismatch' }))
})
