import { encodeErrorResult, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { permit2Abi } from '../abi/index.ts'
import { decodeRevert } from './decodeRevert.ts'

const standard = parseAbi(['error Error(string)'])

it('decodeRevert decodes an error of Permit2', () => {
  const data = encodeErrorResult({ abi: permit2Abi, errorName: 'SignatureExpired', args: [1_700_000_000n] })
  expect(decodeRevert(data)).toEqual({ name: 'SignatureExpired', args: ['1700000000'] })
})

it('decodeRevert cuts arguments to 2,000 characters', () => {
  const message = encodeErrorResult({ abi: standard, errorName: 'Error', args: ['no'.repeat(100_000)] })
  const unknown = `0x${'ab'.repeat(100_000)}` as const
  for (const data of [message, unknown]) {
    const [argument] = decodeRevert(data).args
    expect(argument).toHaveLength(2000)
    expect(argument?.endsWith('…')).toBe(true)
  }
})
