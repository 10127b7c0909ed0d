import { encodeFunctionData, getAddress, parseAbi, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { poolAbi, routerAbi } from '../abi/index.ts'
import type { ConversionCall } from './ConversionCall.ts'
import { decodeConversionCall } from './decodeConversionCall.ts'
import { encodeConversionCall } from './encodeConversionCall.ts'
import { parseConversionCall } from './parseConversionCall.ts'

const [router, pool, other, quoteToken, tokenIn, tokenOut, recipient] = Array.from({ length: 7 }, (_, index) =>
  getAddress(`0x${'a1b2c3d4e5'.repeat(3)}00000000a${index}`),
) as [Hex, Hex, Hex, Hex, Hex, Hex, Hex]
const deployment = { router, pools: [other, pool] }

const tokens = { tokenIn, tokenOut, deadlineSeconds: 4_102_444_800n }
const amounts = {
  'exact-in': { mode: 'exact-in', amountInRaw: 1_000_000n, minAmountOutRaw: 650_000n },
  'exact-out': { mode: 'exact-out', maxAmountInRaw: 2_000_000n, amountOutRaw: 650_001n },
} as const
const calls: readonly ConversionCall[] = [amounts['exact-in'], amounts['exact-out']].flatMap((swap) => [
  { target: 'router', quoteToken, ...tokens, ...swap },
  { target: 'router', quoteToken, ...tokens, ...swap, recipient },
  { target: 'pool', ...tokens, ...swap },
])
const toOf = ({ target }: ConversionCall) => (target === 'router' ? router : pool)

const functions = parseAbi([
  'function originSwapTo(address, address, address, uint256, uint256, address, uint256)',
  'function targetSwap(address, address, address, uint256, uint256, uint256)',
])

describe.each(calls)('decodeConversionCall of $mode by a $target to $recipient', (call) => {
  const data = encodeConversionCall(call)
  const to = toOf(call)

  it('decodeConversionCall returns the call that was encoded, in either case of the letters', () => {
    expect(decodeConversionCall({ to, data }, deployment)).toEqual({ ...call, to })
    const upper: Hex = `0x${data.slice(2).toUpperCase()}`
    expect(decodeConversionCall({ to, data: upper }, deployment)).toEqual({ ...call, to })
  })

  it.each([
    ['another contract', tokenIn],
    ['a pool in place of the router, or the reverse', call.target === 'router' ? pool : router],
    ['no contract', undefined],
  ])('decodeConversionCall returns undefined for a call of %s', (_, called) => {
    expect(decodeConversionCall({ to: called, data }, deployment)).toBeUndefined()
  })

  it('decodeConversionCall returns undefined for each truncated length, and for trailing bytes', () => {
    for (let end = 2; end < data.length; end += 2) {
      expect(decodeConversionCall({ to, data: data.slice(0, end) as Hex }, deployment)).toBeUndefined()
    }
    expect(decodeConversionCall({ to, data: `${data}00` }, deployment)).toBeUndefined()
    expect(decodeConversionCall({ to, data: `${data}${'0'.repeat(64)}` }, deployment)).toBeUndefined()
  })

  it('decodeConversionCall returns another call, which encodes to the same data, or undefined for a flipped bit in any byte', () => {
    for (let byte = 0; byte < data.length / 2 - 1; byte++) {
      const flipped = flipBit(data, 8 * byte + (byte % 8))
      const decoded = decodeConversionCall({ to, data: flipped }, deployment)
      expect(decoded).not.toEqual({ ...call, to })
      expect(decoded === undefined ? flipped : encodeConversionCall(decoded)).toBe(flipped)
    }
  })
})

it('the calldata is that of the functions of the contracts', () => {
  const [routed, paidOut, direct, exactOut] = calls
  const { deadlineSeconds } = tokens
  const swap = [quoteToken, tokenIn, tokenOut, 1_000_000n, 650_000n] as const
  expect(encodeConversionCall(routed as ConversionCall)).toBe(
    encodeFunctionData({ abi: routerAbi, functionName: 'originSwap', args: [...swap, deadlineSeconds] }),
  )
  expect(encodeConversionCall(paidOut as ConversionCall)).toBe(
    encodeFunctionData({ abi: functions, functionName: 'originSwapTo', args: [...swap, recipient, deadlineSeconds] }),
  )
  const args = [tokenIn, tokenOut, 1_000_000n, 650_000n, deadlineSeconds] as const
  expect(encodeConversionCall(direct as ConversionCall)).toBe(
    encodeFunctionData({ abi: poolAbi, functionName: 'originSwap', args }),
  )
  const wanted = [quoteToken, tokenIn, tokenOut, 2_000_000n, 650_001n, deadlineSeconds] as const
  expect(encodeConversionCall(exactOut as ConversionCall)).toBe(
    encodeFunctionData({ abi: functions, functionName: 'targetSwap', args: wanted }),
  )
})

it('parseConversionCall ignores bytes after the arguments, and returns undefined for other functions', () => {
  for (const call of calls) expect(parseConversionCall(`${encodeConversionCall(call)}a610`)).toEqual(call)
  const view = encodeFunctionData({ abi: poolAbi, functionName: 'viewOriginSwap', args: [tokenIn, tokenOut, 1n] })
  for (const data of [view, '0x', '0x9d73b325', `0x${'ff'.repeat(200)}`] as const) {
    expect(parseConversionCall(data)).toBeUndefined()
  }
})

it('error: svc/recipient-unsupported for a pool and a recipient', () => {
  const call = { target: 'pool', ...tokens, ...amounts['exact-in'], recipient } as const
  expect(() => encodeConversionCall(call)).toThrow(expect.objectContaining({ code: 'svc/recipient-unsupported' }))
})

function flipBit(data: Hex, bit: number): Hex {
  const bytes = Buffer.from(data.slice(2), 'hex')
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return `0x${bytes.toString('hex')}`
}
