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
  it('the bytes of a transaction of each signed type are the bytes that its sender signed', async () => {
    const { expected, actual } = await serializeEach(() => ({}))
    expect(actual).toEqual(expected)
  })

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

  it('the example of EIP-155 has its bytes', () => {
    const example = {
      nonce: '0x9',
      gasPrice: '0x4a817c800',
      gas: '0x5208',
      to: '0x3535353535353535353535353535353535353535',
      value: '0xde0b6b3a7640000',
      input: '0x',
      v: '0x25',
      r: '0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276',
      s: '0x67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
    }
    expect(serialize(example)).toBe(
      '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
    )
  })

  it.each(['0x7e', '0x64', '0x65', '0x6a', '0x78'])('a transaction of type %s has no signed bytes', async (type) => {
    const { actual } = await serializeEach(() => ({ type }))
    expect(new Set(actual)).toEqual(new Set([undefined]))
  })
})
