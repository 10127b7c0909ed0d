import { quote, toStep } from '@agio/react/internal'
import { describe, expect, it } from 'vitest'
import { announce } from './announce.ts'
import type { PageConversion } from './conversions.ts'

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
