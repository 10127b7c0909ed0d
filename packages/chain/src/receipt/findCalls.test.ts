import { concatHex, encodeAbiParameters, maxUint256, parseAbiParameters, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { parties } from '../../test/conversionLogs.ts'
import { encodeConversionCall } from '../call/ConversionCall.ts'
import { findCalls } from './findCalls.ts'

const { router, aud, usd, eur, audPool, eurPool, user, other } = parties
const contracts = { router, pools: [audPool, eurPool] }

const swap = { tokenIn: aud, tokenOut: usd, deadlineSeconds: maxUint256 } as const
const exactIn = { ...swap, mode: 'exact-in', amountInRaw: 5n, minAmountOutRaw: 3n } as const
const exactOut = { ...swap, mode: 'exact-out', maxAmountInRaw: 5n, amountOutRaw: 3n } as const
const routed = { target: 'router', quoteToken: usd, ...exactIn } as const
const paidOut = { target: 'router', quoteToken: usd, ...exactOut, tokenOut: eur, recipient: other } as const
const signature: Hex = `0x${'5e'.repeat(65)}`
const permit = { kind: 'permit', amountRaw: 7n, deadlineSeconds: maxUint256, signature } as const
const byPermit = { target: 'router', quoteToken: usd, ...exactIn, recipient: user, permit } as const
// As a smart account signs: any length, also a multiple of a word.
const longSignature: Hex = `0x${'1271'.repeat(160)}`
const permit2 = { kind: 'permit2', quoteDigest: `0x${'d1'.repeat(32)}`, signature: longSignature } as const
const byPermit2 = { ...paidOut, permit: permit2 } as const
const direct = { target: 'pool', ...exactOut } as const

/** Returns the calldata of a smart account that makes calls, each given by its target and its data. */
function batchOf(...calls: readonly (readonly [Hex, Hex])[]): Hex {
  const parameters = parseAbiParameters('(address, uint256, bytes)[]')
  return concatHex([
    '0x34fcd5be',
    encodeAbiParameters(parameters, [calls.map(([to, data]) => [to, 0n, data] as const)]),
  ])
}

it('calls with signatures are found in the calldata of a batch, and of a bundle of batches', () => {
  const signed = [byPermit, byPermit2, { ...byPermit2, permit: { ...permit2, signature: '0x' as const } }]
  const data = batchOf(...signed.map((call) => [router, encodeConversionCall(call)] as const))
  const found = signed.map((call) => ({ ...call, to: router }))
  expect(findCalls(data, contracts)).toEqual(found)
  const bundle = batchOf([user, data], [other, '0x'], [audPool, encodeConversionCall(direct)])
  expect(findCalls(bundle, contracts)).toEqual([...found, { ...direct, to: audPool }])
})

it('a call whose signature is incomplete or too long is not found', () => {
  const cut = (data: Hex, bytes: number) => data.slice(0, -2 * bytes) as Hex
  const whole = encodeConversionCall(byPermit2)
  expect(findCalls(concatHex([router, whole]), contracts)).toHaveLength(1)
  expect(findCalls(concatHex([router, cut(whole, 1)]), contracts)).toEqual([])
  expect(findCalls(concatHex([router, cut(whole, 352)]), contracts)).toEqual([])
  const tooLong = { ...byPermit2, permit: { ...permit2, signature: `0x${'12'.repeat(10_001)}` as const } }
  expect(findCalls(concatHex([router, encodeConversionCall(tooLong)]), contracts)).toEqual([])
})

it('a call is found without the length before it, as in a packed execution', () => {
  const data = concatHex(['0xe9ae5c53', router, `0x${'00'.repeat(32)}`, encodeConversionCall(routed)])
  expect(findCalls(data, contracts)).toMatchObject([{ to: router, mode: 'exact-in' }])
})

it('a call of a contract outside the deployment is not found', () => {
  expect(findCalls(batchOf([user, encodeConversionCall(routed)]), contracts)).toEqual([])
  expect(findCalls(batchOf([router, encodeConversionCall(direct)]), contracts)).toEqual([])
})

it('a selector with arguments that do not decode is not a call', () => {
  const selector = encodeConversionCall(routed).slice(0, 10) as Hex
  expect(findCalls(batchOf([router, concatHex([selector, `0x${'ff'.repeat(192)}`])]), contracts)).toEqual([])
  expect(findCalls(batchOf([router, selector]), contracts)).toEqual([])
  expect(findCalls('0x', contracts)).toEqual([])
})

it('calldata full of selectors is read for its first hundred', () => {
  const selector = encodeConversionCall(routed).slice(0, 10) as Hex
  const filling = Array.from({ length: 100 }, () => selector)
  const data = concatHex([router, ...filling, encodeConversionCall(routed)])
  expect(findCalls(data, contracts)).toEqual([])
  expect(findCalls(concatHex([router, ...filling.slice(1), encodeConversionCall(routed)]), contracts)).toHaveLength(1)
})
