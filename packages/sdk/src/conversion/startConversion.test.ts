import { describe, expect, it } from 'vitest'
import { isAgioError, clientError } from '../errors/AgioError.ts'
import type { PendingRequest } from './ConversionState.ts'
import { toResumable } from './startConversion.ts'

const transactionHash = '0x01'
const pending: PendingRequest = { kind: 'convert', to: '0x02', data: '0x03', fromBlock: 1, nonce: 0, pendingNonce: 0 }
const cause = new Error('offline')
const failed = clientError('wallet/failed', 'Cannot complete eth_sendTransaction: offline', { method: 'a', cause })

describe('toResumable', () => {
  it('an error while the wallet may send the transaction says so, and is not retryable', () => {
    const error = toResumable({ pending }, failed)
    expect(isAgioError(error)).toBe(true)
    expect(error).toMatchObject({
      code: 'wallet/failed',
      retryable: false,
      action: 'resume',
      details: { method: 'a' },
      cause,
    })
    expect(String(error)).toMatch(/offline\. The wallet was asked for the conversion and may .* send it later: resume/)
  })

  it('a message that ends with a full stop is continued without another one', () => {
    const rejected = clientError('wallet/failed', 'Cannot complete eth_sendTransaction: offline.', { method: 'a' })
    expect(String(toResumable({ pending }, rejected))).toMatch(/offline\. The wallet was asked/)
  })

  it('a message with 300,000 full stops is continued at once', () => {
    // A pattern of full stops before the end would take minutes for a message that goes on.
    const message = `offline${'.'.repeat(300_000)}!`
    const error = toResumable({ pending }, clientError('wallet/failed', message, { method: 'a' }))
    expect(String(error)).toMatch(/\.\.!\. The wallet was asked/)
  })

  it('an error after a transaction was sent names its hash', () => {
    const error = toResumable({ pending: { ...pending, kind: 'approve', transactionHash } }, failed)
    expect(error).toMatchObject({ retryable: false, action: 'resume' })
    expect(String(error)).toContain('The transaction 0x01 was sent: resume')
  })

  it.each([cause, null, { toString: null }])(
    'an error of no package while the wallet may send becomes one to resume: %o',
    (thrown) => {
      const error = toResumable({ pending }, thrown, 'https://agio.example')
      const details = { url: 'https://agio.example' }
      expect(error).toMatchObject({ code: 'network/invalid-response', action: 'resume', details, cause: thrown })
    },
  )

  it('an error without a pending transaction stays unchanged, and so does the error of a replaced or dropped one', () => {
    for (const error of [failed, cause]) expect(toResumable({}, error)).toBe(error)
    const replaced = clientError('convert/replaced', 'replaced', { transactionHash, replacedBy: '0x04' })
    expect(toResumable({ pending }, replaced)).toBe(replaced)
  })
})
