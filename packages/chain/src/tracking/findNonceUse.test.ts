import { hexToBigInt, numberToHex, zeroHash, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { findNonceUse } from './findNonceUse.ts'

const from = '0x00000000000000000000000000000000000000A1'
const hash: Hex = `0x${'12'.repeat(32)}`

/**
 * Creates a chain whose sender uses nonce 7 in block `usedIn`. It records the numbers of the blocks whose counts were
 * read.
 */
function createClient(usedIn: bigint, { oldest = 0n }: { readonly oldest?: bigint } = {}) {
  const reads: bigint[] = []
  const request = ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) => {
    const number = hexToBigInt((method === 'eth_getTransactionCount' ? params[1] : params[0]) as Hex)
    if (method === 'eth_getTransactionCount') {
      reads.push(number)
      if (number < oldest) return Promise.reject(new Error('missing trie node'))
      return Promise.resolve(numberToHex(number >= usedIn ? 8 : 7))
    }
    const transaction = { hash, from: from.toLowerCase(), to: null, value: '0x0', input: '0x', nonce: '0x7' }
    const transactions = number === usedIn ? [{ ...transaction, nonce: '0x6' }, transaction] : []
    return Promise.resolve({ number: numberToHex(number), hash: zeroHash, timestamp: '0x1', transactions })
  }
  return { rpc: { client: { request } } as unknown as Parameters<typeof findNonceUse>[0], reads }
}

const newest = 40_000_000n

describe('findNonceUse', () => {
  it.each([newest, newest - 1n, newest - 2n, newest - 16_384n, newest - 16_385n, 12_345_678n, 1n, 0n])(
    'the transaction that used a nonce in block %d is found without a known earlier block',
    async (usedIn) => {
      const { rpc, reads } = createClient(usedIn)
      const found = await findNonceUse(rpc, { from, nonce: 7, usedAt: newest })
      expect(found).toMatchObject({ hash, from, block: { number: usedIn } })
      expect(reads.length).toBeLessThanOrEqual(32)
    },
  )

  it('with a known earlier block only the blocks after it are read', async () => {
    const { rpc, reads } = createClient(newest - 3n)
    const found = await findNonceUse(rpc, { from, nonce: 7, usedAt: newest, unusedAt: newest - 10n })
    expect(found).toMatchObject({ block: { number: newest - 3n } })
    expect(reads.every((block) => block >= newest - 10n)).toBe(true)
  })

  it('a search is incomplete after 32 blocks, and the next one continues from its bounds', async () => {
    const usedAt = 10n ** 15n
    const { rpc, reads } = createClient(usedAt / 3n)
    const bounds = await findNonceUse(rpc, { from, nonce: 7, usedAt })
    expect(bounds).toEqual({ unusedAt: expect.any(BigInt), usedBy: expect.any(BigInt) })
    expect(reads).toHaveLength(32)
    const found = await findNonceUse(rpc, { from, nonce: 7, usedAt, ...(bounds as object) })
    expect(found).toMatchObject({ hash, block: { number: usedAt / 3n } })
    expect(reads.length).toBeLessThanOrEqual(64)
  })

  it('a wrong later bound does not hide the transaction', async () => {
    const { rpc } = createClient(newest - 3n)
    const found = await findNonceUse(rpc, { from, nonce: 7, usedAt: newest, usedBy: newest - 1000n })
    expect(found).toMatchObject({ block: { number: newest - 3n } })
  })

  it.each([newest - 3n, newest, newest + 5n])(
    'a wrong earlier block %d does not hide the transaction',
    async (unusedAt) => {
      const { rpc } = createClient(newest - 3n)
      const found = await findNonceUse(rpc, { from, nonce: 7, usedAt: newest, unusedAt })
      expect(found).toMatchObject({ block: { number: newest - 3n } })
    },
  )

  it('a node that no longer has the state before the use is no-state, also if the use is its oldest block', async () => {
    for (const usedIn of [5n, newest - 128n]) {
      const { rpc } = createClient(usedIn, { oldest: newest - 128n })
      expect(await findNonceUse(rpc, { from, nonce: 7, usedAt: newest })).toBe('no-state')
    }
  })

  it('a nonce that is used after the newest given block is unused', async () => {
    const { rpc } = createClient(newest + 1n)
    expect(await findNonceUse(rpc, { from, nonce: 7, usedAt: newest })).toBe('unused')
  })

  it('no transaction is found if the block has none of the sender with the nonce', async () => {
    const { rpc } = createClient(5n)
    const other = '0x00000000000000000000000000000000000000B2'
    expect(await findNonceUse(rpc, { from: other, nonce: 7, usedAt: newest })).toBe('none')
  })
})
