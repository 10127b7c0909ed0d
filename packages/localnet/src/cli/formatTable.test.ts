import { expect, test } from 'vitest'
import { formatTable } from './formatTable.ts'

test('formatTable aligns the columns of rows of any length', () => {
  expect(formatTable([['a'], ['bbb', 'c', 'd'], ['e', 'ff']])).toBe('a\nbbb  c   d\ne    ff')
})
