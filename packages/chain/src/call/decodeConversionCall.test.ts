import { encodeFunctionData, getAddress, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { poolAbi } from '../abi/index.ts'
import { type CallPermit, type ConversionCall, encodeConversionCall } from './ConversionCall.ts'
import { decodeConversionCall, decodeExecutedCall, parseConversionCall } from './decodeConversionCall.ts'

const [router, pool, other, quoteToken, tokenIn, tokenOut, recipient] = Array.from({ length: 7 }, (_, index) =>
  getAddress(`0x${'a1b2c3d4e5'.repeat(3)}00000000a${index}`),
) as [Hex, Hex, Hex, Hex, Hex, Hex, Hex]
const deployment = { router, pools: [other, pool] }

const tokens = { tokenIn, tokenOut, deadlineSeconds: 4_102_444_800n }
const amounts = {
  'exact-in': { mode: 'exact-in', amountInRaw: 1_000_000n, minAmountOutRaw: 650_000n },
  'exact-out': { mode: 'exact-out', maxAmountInRaw: 2_000_000n, amountOutRaw: 650_001n },
} as const
const permit = {
  kind: 'permit',
  amountRaw: 3_000_000n,
  deadlineSeconds: 4_102_444_801n,
  signature: `0x${'a610'.repeat(32)}1b`,
} as const
// As of an account that is a contract: any length.
const contractPermit = { ...permit, signature: `0x${'5e'.repeat(100)}` } as const
const permit2 = { kind: 'permit2', quoteDigest: `0x${'d1'.repeat(32)}`, signature: permit.signature } as const

const calls: readonly ConversionCall[] = [amounts['exact-in'], amounts['exact-out']].flatMap((swap) => [
  { target: 'router', quoteToken, ...tokens, ...swap },
  { target: 'router', quoteToken, ...tokens, ...swap, recipient },
  { target: 'pool', ...tokens, ...swap },
  ...[permit, contractPermit, permit2].map((signed) => withPermit(swap, signed)),
])
const toOf = ({ target }: ConversionCall) => (target === 'router' ? router : pool)

describe.each(calls)('decodeConversionCall of $mode by a $target to $recipient with $permit.kind', (call) => {
  const data = encodeConversionCall(call)
  const to = toOf(call)

  it('decodeConversionCall returns the call that was encoded, in either case of the letters', () => {
    expect(decodeConversionCall({ to, data }, deployment)).toEqual({ ...call, to })
    const upper: Hex = `0x${data.slice(2).toUpperCase()}`
    expect(decodeConversionCall({ to, data: upper }, deployment)).toEqual({ ...call, to })
  })

  it.each([
    ['another contract', tokenIn],
    ['a pool instead of the router, or the reverse', call.target === 'router' ? pool : router],
    ['no contract', undefined],
  ])('decodeConversionCall returns undefined for a call of %s', (_, called) => {
    expect(decodeConversionCall({ to: called, data }, deployment)).toBeUndefined()
  })

  it('decodeConversionCall returns undefined without its last words, or a part of one, and for trailing bytes', () => {
    for (let end = 10; end < data.length; end += 64) {
      for (const length of [end, end + 2, end + 62])
        expect(decodeConversionCall({ to, data: data.slice(0, length) as Hex }, deployment)).toBeUndefined()
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

it('decodeExecutedCall ignores bytes after the arguments, and returns undefined for other contracts and functions', () => {
  for (const call of calls) {
    const to = call.target === 'pool' ? pool : router
    const data = encodeConversionCall(call)
    expect(decodeExecutedCall({ to, data: `${data}a610` }, deployment)).toEqual({ ...call, to })
    expect(decodeExecutedCall({ to: tokenIn, data }, deployment)).toBeUndefined()
    expect(decodeExecutedCall({ to, data: data.slice(0, 138) as Hex }, deployment)).toBeUndefined()
  }
})

it.each([permit, permit2])(
  'decodeConversionCall returns undefined for a $kind whose signature is at another place, which parseConversionCall reads',
  (signed) => {
    const call = withPermit(amounts['exact-in'], signed)
    const data = moveSignature(encodeConversionCall(call))
    expect(decodeConversionCall({ to: router, data }, deployment)).toBeUndefined()
    expect(parseConversionCall(data)).toEqual(call)
  },
)

it('parseConversionCall ignores bytes after the arguments, and returns undefined for other functions', () => {
  for (const call of calls) expect(parseConversionCall(`${encodeConversionCall(call)}a610`)).toEqual(call)
  const view = encodeFunctionData({ abi: poolAbi, functionName: 'viewOriginSwap', args: [tokenIn, tokenOut, 1n] })
  for (const data of [view, '0x', '0x9d73b325', `0x${'ff'.repeat(200)}`] as const) {
    expect(parseConversionCall(data)).toBeUndefined()
  }
})

it('a call with a permit and without a recipient is not encoded', () => {
  const call = { ...withPermit(amounts['exact-in'], permit), recipient: undefined }
  expect(() => encodeConversionCall(call)).toThrow('it has no recipient')
})

function withPermit(swap: (typeof amounts)[keyof typeof amounts], signed: CallPermit): ConversionCall {
  return { target: 'router', quoteToken, ...tokens, ...swap, recipient, permit: signed }
}

/** Returns the same call with a word before its signature, which the offset skips. */
function moveSignature(data: Hex): Hex {
  const words = data.slice(10).match(/.{64}/g) ?? []
  // The signature is the last argument, or the last field of the last one: its offset is the last small word before it.
  const length = words.findLastIndex((word) => BigInt(`0x${word}`) === 65n)
  const offset = words.findLastIndex((word, index) => index < length && BigInt(`0x${word}`) < 1024n)
  const moved = words.map((word, index) =>
    index === offset ? (BigInt(`0x${word}`) + 32n).toString(16).padStart(64, '0') : word,
  )
  return `${data.slice(0, 10) as Hex}${moved.toSpliced(length, 0, '0'.repeat(64)).join('')}`
}

function flipBit(data: Hex, bit: number): Hex {
  const bytes = Buffer.from(data.slice(2), 'hex')
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return `0x${bytes.toString('hex')}`
}
