import { expect, it } from 'vitest'
import { parseTravelTime } from './parseTravelTime.ts'

const nowMs = Date.parse('2026-03-01T12:00:00Z')
const toIso = (to: unknown) => {
  const time = parseTravelTime(to, nowMs)
  return typeof time === 'number' ? new Date(time).toISOString() : time
}

it.each([
  ['+2 hours', '2026-03-01T14:00:00.000Z'],
  ['+1.5 minutes', '2026-03-01T12:01:30.000Z'],
  ['+1week', '2026-03-08T12:00:00.000Z'],
  ['2026-04-01', '2026-04-01T00:00:00.000Z'],
  ['2026-04-01T00:00+02:00', '2026-03-31T22:00:00.000Z'],
  ['2026-04-01T00:00:00.250Z', '2026-04-01T00:00:00.250Z'],
  [new Date('2026-04-01'), '2026-04-01T00:00:00.000Z'],
  ['market-open', 'market-open'],
])('a travel to %s from noon on 1 March 2026 goes to %s', (to, expected) => {
  expect(toIso(to)).toBe(expected)
})

it.each([undefined, '2 hours', '+2 months', '2026-04-01T00:00:00', '2026-13-01', 7, new Date('x')])(
  'a travel to %j is refused with the forms of a time',
  (to) => {
    expect(() => parseTravelTime(to, nowMs)).toThrow("Pass a duration such as '+2 hours'")
  },
)
