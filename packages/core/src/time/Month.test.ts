import { expect, it } from 'vitest'
import * as Month from './Month.ts'

it.each([
  ['2026-11', '2026-12-01T00:00:00.000Z'],
  ['2026-12', '2027-01-01T00:00:00.000Z'],
  ['2028-02', '2028-03-01T00:00:00.000Z'],
])('the month %s ends at %s', (month, end) => {
  expect(new Date(Month.endMs(month)).toISOString()).toBe(end)
})
