import type { RpcTransaction } from 'viem'
import { describe, expect, it } from 'vitest'
import { signEach, type SignedExample } from '../../test/signEach.ts'
import { serializeRpcTransaction } from './serializeRpcTransaction.ts'

const serialize = (transaction: object) => serializeRpcTransaction(transaction as RpcTransaction)

/** Serializes each transaction, with some fields changed. */
async function serializeEach(change: (example: SignedExample) => object) {
  const examples = await signEach()
  return {
    expected: examples.map(({ serialized }) => serialized),
    actual: examples.map((example) => serialize({ ...example.transaction, ...change(example) })),
  }
}

describe('serializeRpcTransaction', () => {
  it.each([
    ['no yParity, and v as the parity', () => ({ yParity: undefined })],
    [
      'no yParity, and v as 27 or 28',
      ({ type, transaction }: SignedExample) =>
        type === '0x0' ? {} : { yParity: undefined, v: transaction['v'] === '0x1' ? '0x1c' : '0x1b' },
    ],
    ['no v', ({ type }: SignedExample) => (type === '0x0' ? {} : { v: undefined })],
    [
      'a chain id for a legacy transaction without one',
      ({ type }: SignedExample) => (type === '0x0' ? { chainId: '0x14a34' } : {}),
    ],
    [
      'no chain id for a legacy transaction',
      ({ type }: SignedExample) => (type === '0x0' ? { chainId: undefined } : {}),
    ],
    ['no type for a legacy transaction', ({ type }: SignedExample) => (type === '0x0' ? { type: undefined } : {})],
    [
      'an access list only where it has entries',
      ({ transaction }: SignedExample) =>
        (transaction['accessList'] as readonly unknown[]).length === 0 ? { accessList: undefined } : {},
    ],
    [
      'a signature with leading zeros',
      ({ transaction }: SignedExample) => ({ r: `0x00${String(transaction['r']).slice(2)}` }),
    ],
  ])('a node may return %s', async (_, change) => {
    const { expected, actual } = await serializeEach(change)
    expect(actual).toEqual(expected)
  })

  it('fees of a node that are not part of the type are ignored', async () => {
    const fees = { maxFeePerGas: '0xffffffffff', maxPriorityFeePerGas: '0xffffffffff' }
    const { expected, actual } = await serializeEach(({ type }) => (type < '0x2' ? fees : { gasPrice: '0xffffffffff' }))
    expect(actual).toEqual(expected)
  })
})
