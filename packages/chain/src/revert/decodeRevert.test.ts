import { encodeErrorResult, parseAbi, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { permit2Abi, poolAbi } from '../abi/index.ts'
import { decodeRevert } from './decodeRevert.ts'

const oracle = '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9'
const standard = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error Foreign(uint256)'])

it.each<[string, Hex, object]>([
  [
    'an error of ours with its arguments',
    encodeErrorResult({ abi: poolAbi, errorName: 'StalePrice', args: [oracle, 1_700_000_000n, 3600n] }),
    { name: 'StalePrice', args: [oracle, '1700000000', '3600'] },
  ],
  [
    'an error of Permit2',
    encodeErrorResult({ abi: permit2Abi, errorName: 'SignatureExpired', args: [1_700_000_000n] }),
    { name: 'SignatureExpired', args: ['1700000000'] },
  ],
  [
    'a revert message',
    encodeErrorResult({ abi: standard, errorName: 'Error', args: ['Curve/lower-halt'] }),
    { name: 'Error', args: ['Curve/lower-halt'] },
  ],
  ['a panic', encodeErrorResult({ abi: standard, errorName: 'Panic', args: [17n] }), { name: 'Panic', args: ['17'] }],
  ['a revert without data', '0x', { name: 'Revert', args: [] }],
  [
    'an unknown selector as raw data',
    encodeErrorResult({ abi: standard, errorName: 'Foreign', args: [1n] }),
    { name: 'Unknown', args: [encodeErrorResult({ abi: standard, errorName: 'Foreign', args: [1n] })] },
  ],
])('decodeRevert decodes %s', (_, data, revert) => {
  expect(decodeRevert(data)).toEqual(revert)
})

it('decodeRevert cuts arguments to 2,000 characters', () => {
  const message = encodeErrorResult({ abi: standard, errorName: 'Error', args: ['no'.repeat(100_000)] })
  const unknown = `0x${'ab'.repeat(100_000)}` as const
  for (const data of [message, unknown]) {
    const [argument] = decodeRevert(data).args
    expect(argument).toHaveLength(2001)
    expect(argument?.endsWith('…')).toBe(true)
  }
})
