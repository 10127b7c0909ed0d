import { expect, it } from 'vitest'
import { formatDuration } from './formatDuration.ts'

it.each([
  [0, '0 s'],
  [-3, '0 s'],
  [45.9, '45 s'],
  [200, '3 min 20 s'],
  [7500, '2 h 5 min'],
  [90_061, '1 d 1 h'],
])('%d seconds are shown as %s', (seconds, shown) => {
  expect(formatDuration(seconds)).toBe(shown)
})
