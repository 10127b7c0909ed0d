import { assert, integer, property } from 'fast-check'
import { expect, it } from 'vitest'
import { toShare } from './createOutageAdmission.ts'

it('processes with the same shared count together admit at least the remaining calls, and less than one call each beyond them', () => {
  const counts = [integer({ min: 1, max: 1000 }), integer({ min: 0, max: 1000 }), integer({ min: 1, max: 50 })] as const
  assert(
    property(...counts, (limit, shared, processes) => {
      const left = Math.max(0, limit - shared)
      const admitted = Math.max(0, toShare(limit, shared, processes) - shared) * processes
      expect(admitted).toBeGreaterThanOrEqual(left)
      expect(admitted).toBeLessThan(left + processes)
    }),
  )
})
