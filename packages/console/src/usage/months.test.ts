import { expect, it } from 'vitest'
import {
  chooseSeries,
  endOfMonth,
  formatDay,
  formatMonth,
  formatPeriod,
  groupBySeries,
  listDays,
  listMonths,
  listMonthsSince,
  otherOperations,
  stackDays,
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

it('a bar has a part for each series that has calls, one on the other, and the refused calls on top', () => {
  const days = [{ day: '2026-11-02', callsBySeries: { two: 3, one: 2, none: 0 }, refused: 4 }]
  const bars = stackDays(days, '2026-11', ['one', 'none', 'two'])
  expect(bars).toHaveLength(30)
  expect(bars[1]).toEqual({
    day: '2026-11-02',
    parts: [
      { series: 'one', from: 0, to: 2 },
      { series: 'two', from: 2, to: 5 },
      { series: undefined, from: 5, to: 9 },
    ],
    total: 9,
  })
})

it('a day without calls has an empty bar, and a day of another month none', () => {
  const days = [{ day: '2026-12-01', callsBySeries: { one: 1 }, refused: 0 }]
  const bars = stackDays(days, '2026-11', ['one'])
  expect(bars.every(({ parts, total }) => parts.length === 0 && total === 0)).toBe(true)
})

it('the operations with the most calls get a series, those with as many in the order of their names', () => {
  expect(chooseSeries({ b: 1, c: 5, a: 1 }, 3)).toEqual(['c', 'a', 'b'])
})

it('operations beyond the last series share it, and no call is lost', () => {
  const calls = { a: 5, b: 4, c: 3, d: 2 }
  const series = chooseSeries(calls, 3)
  expect(series).toEqual(['a', 'b', otherOperations])
  expect(groupBySeries(calls, series)).toEqual({ a: 5, b: 4, [otherOperations]: 5 })
})

it('an operation that a month has, but no series, is counted among the others', () => {
  expect(groupBySeries({ a: 1, new: 2 }, ['a'])).toEqual({ a: 1, [otherOperations]: 2 })
})
