import { toSafeEcho } from '@agio/core'
import { describe, expect, it } from 'vitest'
import { formatCursor, parseCursor, type TrackingCursor } from './trackingCursor.ts'

const hash = `0x${'ab'.repeat(32)}` as const
const from = '0x00000000000000000000000000000000000000A1'

const full: TrackingCursor = {
  chainId: 84532,
  hash,
  facts: {
    from,
    nonce: 7,
    call: { callHash: hash, intentHash: hash, deadlineSeconds: 1_795_241_836n },
    included: { number: 2n ** 53n - 1n, hash },
    unusedAt: 12n,
  },
}

describe('parseCursor', () => {
  it('a cursor is read as it was written, the largest block number included', () => {
    expect(parseCursor(formatCursor(full))).toEqual(full)
    // Of an unseen transaction, with the bounds of its search.
    const facts = { ...full.facts, unseenSinceSeconds: 1_795_241_836n, usedBy: 40n }
    expect(parseCursor(formatCursor({ ...full, facts }))).toEqual({ ...full, facts })
  })

  it.each([
    ['text', 'x'],
    ['JSON of another kind', Buffer.from('{"version":1}').toString('base64url')],
    ['another version', change({ version: 2 })],
    ['a further field', change({ more: 1 })],
    ['a negative nonce', change({ nonce: -1 })],
    ['an unknown network', change({ chainId: 1 })],
  ])('error: a cursor of %s is svc/invalid-request', (_, text) => {
    const refused = { code: 'svc/invalid-request', details: { field: 'cursor', value: toSafeEcho(text) } }
    expect(() => parseCursor(text)).toThrow(expect.objectContaining(refused))
  })
})

function read(text: string): object {
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as object
}

/** Returns the text of the full cursor with other fields. */
function change(fields: object): string {
  return Buffer.from(JSON.stringify({ ...read(formatCursor(full)), ...fields })).toString('base64url')
}
