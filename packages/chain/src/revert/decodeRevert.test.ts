import { encodeErrorResult, parseAbi, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { poolAbi } from '../abi/index.ts'
import { decodeRevert } from './decodeRevert.ts'

const oracle = '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9'
const standard = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error Nobody(uint256)'])

it.each<[string, Hex, object]>([
  [
    'our own errors, with their numbers',
    encodeErrorResult({ abi: poolAbi, errorName: 'StalePrice', args: [oracle, 1_700_000_000n, 3600n] }),
    { name: 'StalePrice', args: [oracle, '1700000000', '3600'] },
  ],
  [
    'a revert string',
    encodeErrorResult({ abi: standard, errorName: 'Error', args: ['Curve/lower-halt'] }),
    { name: 'Error', args: ['Curve/lower-halt'] },
  ],
  ['a panic', encodeErrorResult({ abi: standard, errorName: 'Panic', args: [17n] }), { name: 'Panic', args: ['17'] }],
  ['a revert without data', '0x', { name: 'Revert', args: [] }],
  [
    'an unknown selector, raw',
    encodeErrorResult({ abi: standard, errorName: 'Nobody', args: [1n] }),
    { name: 'Unknown', args: [encodeErrorResult({ abi: standard, errorName: 'Nobody', args: [1n] })] },
  ],
])('decodes %s', (_, data, revert) => {
  expect(decodeRevert(data)).toEqual(revert)
})

it('shows no more than the beginning of what a contract makes very long', () => {
  const sentence = encodeErrorResult({ abi: standard, errorName: 'Error', args: ['no'.repeat(100_000)] })
  const unknown = `0x${'ab'.repeat(100_000)}` as const
  for (const data of [sentence, unknown]) {
    const [shown] = decodeRevert(data).args
    expect(shown).toHaveLength(2001)
    expect(shown?.endsWith('…')).toBe(true)
  }
})
