import type { Address } from '@agio/core'
import { encodeFunctionData, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { routerAbi } from '../abi/index.ts'
import type { SentTransaction } from '../transaction/readStatus.ts'
import { compareCalls, describeCall } from './describeCall.ts'

const wallet = '0x00000000000000000000000000000000000000A1'
const router = '0x00000000000000000000000000000000000000b2'
const [tokenIn, tokenOut] = [
  '0x00000000000000000000000000000000000000c3',
  '0x00000000000000000000000000000000000000d4',
] as const

const contracts = { router, pools: [] } as const

type Terms = {
  readonly amount?: bigint
  readonly minimum?: bigint
  readonly deadline?: bigint
  readonly tokens?: readonly [Address, Address]
}

function convert({ amount = 100n, minimum = 65n, deadline = 1000n, ...other }: Terms = {}): SentTransaction {
  const [from, to] = [wallet, router] as const
  const tokens: readonly [Address, Address] = other.tokens ?? [tokenIn, tokenOut]
  const args = [zeroAddress, ...tokens, amount, minimum, deadline] as const
  return { from, to, valueWei: 0n, data: encodeFunctionData({ abi: routerAbi, functionName: 'originSwap', args }) }
}

const cancel: SentTransaction = { from: wallet, to: wallet, valueWei: 0n, data: '0x' }

describe('compareCalls', () => {
  const original = describeCall(convert(), contracts)

  it.each([
    ['the same call is a speed-up', convert(), 'speed-up'],
    ['an empty transfer to oneself is a cancellation', cancel, 'cancel'],
    ['a conversion at another minimum has the same intent', convert({ minimum: 60n }), 'same-intent'],
    ['a conversion until another deadline has the same intent', convert({ deadline: 2000n }), 'same-intent'],
    ['a conversion of another amount is another transaction', convert({ amount: 101n }), 'other'],
    ['a conversion in the other direction is another transaction', convert({ tokens: [tokenOut, tokenIn] }), 'other'],
    ['the same conversion with native currency is another transaction', { ...convert(), valueWei: 1n }, 'other'],
    ['the same calldata for another contract is another transaction', { ...convert(), to: wallet }, 'other'],
    ['a transfer of native currency to oneself is another transaction', { ...cancel, valueWei: 1n }, 'other'],
    ['a call of oneself with data is another transaction', { ...cancel, data: '0x01' }, 'other'],
    ['the creation of a contract is another transaction', { ...cancel, to: undefined }, 'other'],
  ] as const)('%s', (_, winner, kind) => {
    expect(compareCalls(original, winner, contracts)).toBe(kind)
  })

  it('an empty transfer to oneself that is sent again is a speed-up, not a cancellation', () => {
    expect(compareCalls(describeCall(cancel, contracts), cancel, contracts)).toBe('speed-up')
  })

  it('without the original call only a cancellation is known', () => {
    expect(compareCalls(undefined, cancel, contracts)).toBe('cancel')
    expect(compareCalls(undefined, convert(), contracts)).toBeUndefined()
  })

  it('two calls that are not conversions have no common intent', () => {
    const transfer: SentTransaction = { from: wallet, to: router, valueWei: 1n, data: '0x' }
    expect(compareCalls(describeCall(transfer, contracts), { ...transfer, valueWei: 2n }, contracts)).toBe('other')
  })
})
