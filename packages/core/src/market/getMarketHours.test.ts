import { describe, expect, it } from 'vitest'
import { findMarketHours } from './findMarketHours.ts'
import { getMarketHours, isMarketOpen } from './getMarketHours.ts'
import { parseSchedule } from './Schedule.ts'

const at = (time: string) => Date.parse(time) / 1000

const day = parseSchedule('UTC;0800-1600,0800-1600,0800-1600,0800-1600,0800-1600,C,C')
const late = parseSchedule('UTC;1200-2000,1200-2000,1200-2000,1200-2000,1200-2000,C,C')
const never = parseSchedule('UTC;0000-0800,C,C,C,C,C,C')
const always = parseSchedule('UTC;O,O,O,O,O,O,O')

describe('getMarketHours', () => {
  it('without a schedule nothing is known', () => {
    expect(getMarketHours([], 0)).toBeUndefined()
    expect(isMarketOpen([], 0)).toBeUndefined()
  })

  it('two markets are open together while both are', () => {
    const noon = { isOpen: false, nextOpen: at('2026-11-23T12:00Z'), nextClose: at('2026-11-23T16:00Z') }
    expect(getMarketHours([day, late], at('2026-11-23T09:00Z'))).toEqual(noon)
    const afternoon = { isOpen: true, nextClose: at('2026-11-23T16:00Z'), nextOpen: at('2026-11-24T12:00Z') }
    expect(getMarketHours([day, late], at('2026-11-23T13:00Z'))).toEqual(afternoon)
    expect(getMarketHours([late, day], at('2026-11-27T16:00Z'))).toMatchObject({ nextOpen: at('2026-11-30T12:00Z') })
  })

  it('two markets that are never open together have no next open', () => {
    expect(getMarketHours([day, never], at('2026-11-23T09:00Z'))).toEqual({ isOpen: false })
  })

  it('a market beside one that is always open has its own hours', () => {
    for (const time of ['2026-11-23T07:00Z', '2026-11-23T09:00Z', '2026-11-27T17:00Z']) {
      expect(getMarketHours([always, day], at(time))).toEqual(findMarketHours(day, at(time)))
    }
  })

  it('the hours belong to the time of the call, even if calls go back in time', () => {
    const times = Array.from({ length: 500 }, (_, index) => at('2026-11-20T00:00Z') + ((index * 7919 * 60) % 1_209_600))
    for (const time of times) {
      expect(getMarketHours([day], time)).toEqual(findMarketHours(day, time))
      expect(isMarketOpen([day], time)).toBe(findMarketHours(day, time).isOpen)
    }
  })
})
