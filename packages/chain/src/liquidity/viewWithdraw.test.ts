import { expect, it } from 'vitest'
import { toPoolAmounts } from './viewWithdraw.ts'

it.each([[[]], [[1n]], [[1n, 2n, 3n]]])(
  'toPoolAmounts throws svc/upstream-error for %o, which are not two amounts',
  (amounts) => {
    expect(() => toPoolAmounts(amounts)).toThrow(expect.objectContaining({ code: 'svc/upstream-error' }))
  },
)
