import { expect, it } from 'vitest'
import {
  endOfMonth,
  formatDay,
  formatMonth,
  formatPeriod,
  listDays,
  listMonths,
  listMonthsSince,
  toMonth,
} from './months.ts'

it('a month begins with the first millisecond of its first day in UTC', () => {
  expect(toMonth(Date.UTC(2027, 0, 1) - 1)).toBe('2026-12')
  expect(toMonth(Date.UTC(2027, 0, 1))).toBe('2027-01')
  expect(endOfMonth('2026-12')).toBe(Date.UTC(2027, 0, 1))
})

it('the months before a month are listed across the turn of the year', () => {
  expect(listMonths('2027-02', 4)).toEqual(['2027-02', '2027-01', '2026-12', '2026-11'])
})

it('the months since a time include its own and the last one', () => {
  expect(listMonthsSince('2026-11-30T23:59:59.999Z', '2027-01')).toEqual(['2027-01', '2026-12', '2026-11'])
  expect(listMonthsSince('2027-01-05T00:00:00.000Z', '2027-01')).toEqual(['2027-01'])
  expect(listMonthsSince('2027-02-01T00:00:00.000Z', '2027-01')).toEqual(['2027-01'])
})

it.each([
  ['2026-11', 30],
  ['2026-12', 31],
  ['2027-02', 28],
  ['2028-02', 29],
])('%s has %i days', (month, count) => {
  const days = listDays(month)
  expect(days).toHaveLength(count)
  expect([days[0], days.at(-1)]).toEqual([`${month}-01`, `${month}-${count}`])
})

it('months and days are named in UTC in any time zone', () => {
  expect(formatMonth('2026-11')).toBe('November 2026')
  expect(formatDay('2026-11-01')).toBe('Sun 1 Nov')
})

it.each([
  [1, 'second'],
  [60, 'minute'],
  [900, '15 min'],
  [5400, '1 h 30 min'],
])('a window of %i s is one per %s', (seconds, text) => {
  expect(formatPeriod(seconds)).toBe(text)
})
