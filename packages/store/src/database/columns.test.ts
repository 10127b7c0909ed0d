import { expect, it } from 'vitest'
import { parseTime } from './columns.ts'

it.each([
  ['2027-01-12 03:04:05+00', '2027-01-12T03:04:05.000Z'],
  ['2027-01-12 03:04:05.678901+00', '2027-01-12T03:04:05.678Z'],
  ['2027-01-12 08:34:05.678+05:30', '2027-01-12T03:04:05.678Z'],
])('the time %s is read with its time zone', (text, iso) => {
  expect(parseTime(text).toISOString()).toBe(iso)
})

it.each([
  '12/01/2027 03:04:05 UTC',
  '12.01.2027 03:04:05 UTC',
  'Tue Jan 12 03:04:05 2027 UTC',
  '2027-01-12',
  'infinity',
])('error: the time %s is refused, since it may mean another day', (text) => {
  expect(() => parseTime(text)).toThrow('Set DateStyle to ISO')
})
