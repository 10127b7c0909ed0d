import { expect, it } from 'vitest'
import * as Timestamp from './Timestamp.ts'

it('seconds are formatted as ISO 8601', () => {
  expect(Timestamp.fromSeconds(1_700_000_000n)).toBe('2023-11-14T22:13:20.000Z')
})

it('a time beyond the range of dates is formatted as the epoch', () => {
  expect(Timestamp.fromSeconds(2n ** 255n)).toBe('1970-01-01T00:00:00.000Z')
})
