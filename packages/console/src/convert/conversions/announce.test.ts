import { describe, expect, it } from 'vitest'
import { announce } from './announce.ts'
import type { ShownConversion } from './conversions.ts'
import { quote, toStep } from './testSteps.ts'

const asking = toStep({ kind: 'convert', status: 'waiting-for-wallet' })
const shown: ShownConversion = { id: 'id', quote, steps: [asking], phase: 'running' }

describe('announce', () => {
  it('what happened last is said in a sentence', () => {
    expect(announce([shown])).toBe('100 tAUD → tUSD: Convert tAUD to tUSD. Confirm in your wallet')
    expect(announce([{ ...shown, steps: [] }])).toBe('100 tAUD → tUSD: begins')
  })

  it('the conversion with the newest step goes before the others', () => {
    const later = { ...toStep({ kind: 'batch', status: 'needed' }), at: '2026-11-22T10:00:05.000Z' }
    expect(announce([shown, { ...shown, id: 'other', steps: [later] }])).toMatch(/batch/)
  })

  it('stored conversions that nothing runs are not announced', () => {
    expect(announce([{ ...shown, phase: 'idle' }])).toBe('')
  })
})
