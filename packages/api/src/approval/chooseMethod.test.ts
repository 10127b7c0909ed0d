import { expect, it } from 'vitest'
import { chooseMethod } from './chooseMethod.ts'

const owner = { allowanceRaw: 0n, permit2AllowanceRaw: 0n, nonce: 0n, code: 'none', answersErc1271: false } as const

const withPermit = {
  state: owner,
  features: { permit: true, permit2: true },
  domain: { name: 'Token' },
  requiredRaw: 100n,
  spender: 'router',
  isUnlimited: false,
  hasQuote: true,
  prefer: undefined,
} as const satisfies chooseMethod.Conditions

const smart = { ...owner, code: 'contract', answersErc1271: true } as const
const muteDelegated = { ...owner, code: 'delegated' } as const
const byPermit = { kind: 'permit', mayBeRefused: false }
const byPermit2 = { kind: 'permit2', mayBeRefused: false }
const without = { permit: false, permit2: false }

it.each<readonly [string, Partial<chooseMethod.Conditions>, object]>([
  [
    'nothing if the allowance is enough',
    { state: { ...owner, allowanceRaw: 100n }, prefer: 'permit' },
    { kind: 'none' },
  ],
  ['nothing for any amount too', { state: { ...owner, allowanceRaw: 100n }, isUnlimited: true }, { kind: 'none' }],
  ['a permit if the allowance is a unit too low', { state: { ...owner, allowanceRaw: 99n } }, byPermit],
  ['a permit rather than Permit2', { state: { ...owner, permit2AllowanceRaw: 100n } }, byPermit],
  ['a permit on a chain without Permit2', { features: { permit: true, permit2: false } }, byPermit],
  ['a permit that may be refused for an account with code', { state: smart }, { ...byPermit, mayBeRefused: true }],
  [
    'a permit that may be refused for a delegated account, since its key can sign',
    { state: muteDelegated },
    { ...byPermit, mayBeRefused: true },
  ],
  ['an approval for a router without permits', { features: without, prefer: 'permit' }, approveBecause('router')],
])('a plan for a token with permits is %s', (_, changes, method) => {
  expect(chooseMethod({ ...withPermit, ...changes })).toEqual(method)
})

const approved = { ...owner, permit2AllowanceRaw: 100n } as const
const withPermit2 = { ...withPermit, domain: undefined, state: approved } as const

it.each<readonly [string, Partial<chooseMethod.Conditions>, object]>([
  [
    'Permit2, also if it has a domain',
    { domain: { name: 'Token' }, state: { ...approved, nonce: undefined } },
    byPermit2,
  ],
  [
    'Permit2 that may be refused for an account with code that checks signatures',
    { state: { ...smart, permit2AllowanceRaw: 100n } },
    { ...byPermit2, mayBeRefused: true },
  ],
  [
    'an approval for a delegated account without ERC-1271, which Permit2 requires',
    { state: { ...muteDelegated, permit2AllowanceRaw: 100n } },
    approveBecause('account'),
  ],
  ['an approval on a network without it', { features: { permit: true, permit2: false } }, approveBecause('no-permit2')],
  ['an approval of any amount', { isUnlimited: true }, approveBecause('unlimited')],
  ['an approval without a quote', { hasQuote: false }, approveBecause('no-quote')],
  [
    'an approval if the allowance of Permit2 is a unit too low',
    { state: { ...owner, permit2AllowanceRaw: 99n } },
    approveBecause('permit2-allowance'),
  ],
])('a plan for a token without permits is %s', (_, changes, method) => {
  expect(chooseMethod({ ...withPermit2, ...changes })).toEqual(method)
})

function approveBecause(because: string) {
  return { kind: 'approve', because }
}
