import { expect, it } from 'vitest'
import { formatPeriod } from './formatPeriod.ts'

it.each([
  [1, 'second'],
  [60, 'minute'],
  [900, '15 min'],
  [5400, '1 h 30 min'],
])('a window of %i s is one per %s', (seconds, text) => {
  expect(formatPeriod(seconds)).toBe(text)
})
