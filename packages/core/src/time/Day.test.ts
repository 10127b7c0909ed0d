import { expect, it } from 'vitest'
import * as Day from './Day.ts'
import * as Month from './Month.ts'

it('a day changes with its first millisecond in UTC', () => {
  const change = Date.parse('2027-01-01T00:00:00.000Z')
  expect(Day.at(change - 1)).toBe('2026-12-31')
  expect(Day.at(change)).toBe('2027-01-01')
})

it('the last millisecond of a month is in its last day, and the next one in the first day of the next month', () => {
  const change = Month.endMs('2028-02')
  expect([Day.at(change - 1), Day.toMonth(Day.at(change - 1))]).toEqual(['2028-02-29', '2028-02'])
  expect([Day.at(change), Day.toMonth(Day.at(change))]).toEqual(['2028-03-01', '2028-03'])
})
