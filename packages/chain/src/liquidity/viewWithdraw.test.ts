import { expect, it } from 'vitest'
import { toPoolAmounts } from './viewWithdraw.ts'

it('toPoolAmounts returns the first amount as base and the second as quote', () => {
  expect(toPoolAmounts([1n, 2n])).toEqual({ baseRaw: 1n, quoteRaw: 2n })
})

it.each([[[]], [[1n]], [[1n, 2n, 3n]]])(
  'toPoolAmounts throws svc/upstream-error for %o, which are not two amounts',
  (amounts) => {
    expect(() => toPoolAmounts(amounts)).toThrow(expect.objectContaining({ code: 'svc/upstream-error' }))
  },
)
