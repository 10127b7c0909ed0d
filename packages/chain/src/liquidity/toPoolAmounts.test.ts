import { expect, it } from 'vitest'
import { toPoolAmounts } from './toPoolAmounts.ts'

it('names the base first, then the quote', () => {
  expect(toPoolAmounts([1n, 2n])).toEqual({ baseRaw: 1n, quoteRaw: 2n })
})

it.each([[[]], [[1n]], [[1n, 2n, 3n]]])('error: svc/upstream-error for %o: a pool has two tokens', (amounts) => {
  expect(() => toPoolAmounts(amounts)).toThrow(expect.objectContaining({ code: 'svc/upstream-error' }))
})
