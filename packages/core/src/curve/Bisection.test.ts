import { describe, expect, it } from 'vitest'
import * as Bisection from './Bisection.ts'

describe('narrow', () => {
  it.each([1n, 2n, 499n, 500n, 998n])('the boundary above %s is found', (last) => {
    expect(Bisection.narrow([0n, 999n], (value) => (value <= last ? 'below' : 'above'))).toEqual([last, last + 1n])
  })

  it('a gap of unknown values is passed over to the boundary on either side of it', () => {
    const isUnknown = (value: bigint) => value >= 400n && value < 600n
    for (const last of [100n, 900n]) {
      const found = Bisection.narrow([0n, 1000n], (value) =>
        isUnknown(value) ? undefined : value <= last ? 'below' : 'above',
      )
      expect(found).toEqual([last, last + 1n])
    }
  })

  it('a boundary within unknown values is the lowest value above them', () => {
    const found = Bisection.narrow([0n, 1000n], (value) =>
      value < 300n ? 'below' : value > 700n ? 'above' : undefined,
    )
    expect(found).toEqual([700n, 701n])
  })

  it('an interval of adjacent values is returned unchanged', () => {
    expect(Bisection.narrow([7n, 8n], () => undefined)).toEqual([7n, 8n])
  })
})
