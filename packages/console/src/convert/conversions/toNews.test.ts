import { pending, quote, toStep } from '@agio/react/internal'
import { describe, expect, it } from 'vitest'
import { announce, toNews } from './toNews.ts'
import type { PageConversion } from './conversions.ts'

const transactionHash = '0x02'
const sent = toStep({ kind: 'convert', status: 'sent', transactionHash }, { pending: { ...pending, transactionHash } })
const conversion = { id: '1', quote, steps: [sent], phase: 'running' } as const

it('a conversion is news once its transaction was sent', () => {
  expect(toNews({ ...conversion, steps: [] })).toBeUndefined()
  expect(toNews(conversion)).toMatchObject({ kind: 'sent', text: '100 tAUD → tUSD', href: '/receipt/0x02?chain=1' })
})

it('a conversion of another tab or of an earlier visit is no news', () => {
  expect(toNews({ ...conversion, phase: 'elsewhere' })).toBeUndefined()
  expect(toNews({ ...conversion, phase: 'idle' })).toBeUndefined()
})

it('a failed conversion names its cause', () => {
  const error = { code: 'wallet/rejected', message: 'The user rejected it', details: {} }
  expect(toNews({ ...conversion, phase: 'idle', hasRun: true, error })).toMatchObject({ kind: 'failed', href: '/' })
})

const asking = toStep({ kind: 'convert', status: 'waiting-for-wallet' })
const shown: PageConversion = { id: 'id', quote, steps: [asking], phase: 'running' }

describe('announce', () => {
  it('the last event is announced in a sentence', () => {
    expect(announce([shown])).toBe('100 tAUD → tUSD: Convert tAUD to tUSD. Confirm in your wallet')
    expect(announce([{ ...shown, steps: [] }])).toBe('100 tAUD → tUSD: started')
  })

  it('the conversion with the newest step is announced', () => {
    const later = { ...toStep({ kind: 'batch', status: 'needed' }), at: '2026-11-22T10:00:05.000Z' }
    expect(announce([shown, { ...shown, id: 'other', steps: [later] }])).toMatch(/batch/)
  })

  it('stored conversions that are not running are not announced', () => {
    expect(announce([{ ...shown, phase: 'idle' }])).toBe('')
  })
})
