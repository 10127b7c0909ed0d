import { expect, it } from 'vitest'
import { chooseSeries, groupBySeries, otherOperations, stackDays } from './stackDays.ts'

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
