import { assert, integer, property } from 'fast-check'
import { expect, it } from 'vitest'
import { toShare } from './createOutageAdmission.ts'

it.each([
  [100, 0, 3, 34],
  [100, 40, 2, 70],
  [100, 99, 3, 100],
  [100, 100, 3, 100],
  [1, 0, 3, 1],
  [100, 40, 1, 100],
  [100, 40, 0, 100],
])('of a limit of %d with %d shared calls, one of %d processes may use up to %d', (limit, shared, processes, share) => {
  expect(toShare(limit, shared, processes)).toBe(share)
})

it('processes with the same shared count together admit at least the remaining calls, and less than one call each beyond them', () => {
  assert(
    property(
      integer({ min: 1, max: 1000 }),
      integer({ min: 0, max: 1000 }),
      integer({ min: 1, max: 50 }),
      (...given) => {
        const [limit, shared, processes] = given
        const left = Math.max(0, limit - shared)
        const admitted = Math.max(0, toShare(limit, shared, processes) - shared) * processes
        expect(admitted).toBeGreaterThanOrEqual(left)
        expect(admitted).toBeLessThan(left + processes)
      },
    ),
  )
})
