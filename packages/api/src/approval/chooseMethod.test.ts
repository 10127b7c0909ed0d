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

const withPermit2 = { ...withPermit, domain: undefined, state: { ...owner, permit2AllowanceRaw: 100n } } as const

const smart = { ...owner, code: 'contract', answersErc1271: true } as const
const mute = { ...smart, answersErc1271: false } as const

it.each<readonly [string, chooseMethod.Conditions, object]>([
  [
    'nothing if the allowance is enough, also for any amount',
    { ...withPermit, isUnlimited: true, prefer: 'permit', state: { ...owner, allowanceRaw: 100n } },
    { kind: 'none' },
  ],
  [
    'a permit if the allowance is a unit too low',
    { ...withPermit, state: { ...owner, allowanceRaw: 99n } },
    { kind: 'permit', mayBeRefused: false },
  ],
  [
    'a permit rather than Permit2',
    { ...withPermit, state: { ...owner, permit2AllowanceRaw: 100n } },
    { kind: 'permit', mayBeRefused: false },
  ],
  [
    'a permit on a chain without Permit2',
    { ...withPermit, features: { permit: true, permit2: false } },
    { kind: 'permit', mayBeRefused: false },
  ],
  [
    'a permit that may be refused for an account with code',
    { ...withPermit, state: smart },
    { kind: 'permit', mayBeRefused: true },
  ],
  [
    'a permit that may be refused for a delegated account without ERC-1271, since its key can sign',
    { ...withPermit, state: { ...mute, code: 'delegated' } },
    { kind: 'permit', mayBeRefused: true },
  ],
  [
    'an approval for a router without permits, also if a permit is preferred',
    { ...withPermit, features: { permit: false, permit2: false }, prefer: 'permit' },
    { kind: 'approve', because: 'router' },
  ],
  [
    'Permit2 if the token has a domain and no nonces',
    { ...withPermit2, domain: { name: 'Token' }, state: { ...withPermit2.state, nonce: undefined } },
    { kind: 'permit2', mayBeRefused: false },
  ],
  [
    'Permit2 that may be refused for an account with code that checks signatures',
    { ...withPermit2, state: { ...smart, permit2AllowanceRaw: 100n } },
    { kind: 'permit2', mayBeRefused: true },
  ],
  [
    'an approval for a delegated account without ERC-1271, which Permit2 requires',
    { ...withPermit2, state: { ...mute, code: 'delegated', permit2AllowanceRaw: 100n } },
    { kind: 'approve', because: 'account' },
  ],
  [
    'an approval on a network without Permit2',
    { ...withPermit2, features: { permit: true, permit2: false } },
    { kind: 'approve', because: 'no-permit2' },
  ],
  ['an approval of any amount', { ...withPermit2, isUnlimited: true }, { kind: 'approve', because: 'unlimited' }],
  ['an approval without a quote', { ...withPermit2, hasQuote: false }, { kind: 'approve', because: 'no-quote' }],
  [
    'an approval if the allowance of Permit2 is a unit too low',
    { ...withPermit2, state: { ...owner, permit2AllowanceRaw: 99n } },
    { kind: 'approve', because: 'permit2-allowance' },
  ],
])('a plan is %s', (_, subject, method) => {
  expect(chooseMethod(subject)).toEqual(method)
})
