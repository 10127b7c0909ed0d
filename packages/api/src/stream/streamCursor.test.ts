import { describe, expect, it } from 'vitest'
import { formatStreamCursor, parseStreamCursor, type StreamCursor } from './streamCursor.ts'

const hash = `0x${'ab'.repeat(32)}` as const

const full: StreamCursor = {
  blocks: [
    { chainId: 84532, number: 91n, hash },
    { chainId: 421614, number: 2n ** 53n - 1n, hash },
  ],
  transactions: [
    { state: { status: 'pending', visibility: 'hidden' }, cursor: 'WzEsODQ1MzIs_-' },
    { state: { status: 'finalized' }, cursor: 'W10' },
  ],
}

describe('parseStreamCursor', () => {
  it('an id is read as it was written', () => {
    expect(parseStreamCursor(formatStreamCursor(full))).toEqual(full)
    expect(parseStreamCursor('1..')).toEqual({ blocks: [], transactions: [] })
  })

  it('the ids of twenty transactions with everything that a cursor can have fit into a header', () => {
    const state = { status: 'pending', visibility: 'contested' } as const
    const transactions = Array.from({ length: 20 }, () => ({ state, cursor: 'x'.repeat(370) }))
    const text = formatStreamCursor({ ...full, transactions })
    expect(text.length).toBeLessThan(8192)
    expect(parseStreamCursor(text).transactions).toEqual(transactions)
  })

  it.each([
    ['text', 'x'],
    ['an unknown network', `1.1:7:${'a'.repeat(43)}.`],
    ['a block without a hash', '1.84532:7.'],
    ['a position without a cursor', '1..pending'],
    ['an unknown state', '1..lost:x'],
    ['more transactions than a stream has', `1..${Array.from({ length: 21 }, () => 'pending:x').join('~')}`],
    ['more than any stream needs', `1..pending:${'x'.repeat(12_000)}`],
  ])('error: %s is svc/invalid-request', (_, text) => {
    const refused = { code: 'svc/invalid-request', details: expect.objectContaining({ field: 'Last-Event-ID' }) }
    expect(() => parseStreamCursor(text)).toThrow(expect.objectContaining(refused))
  })
})
