import { describe, expect, it } from 'vitest'
import * as Market from './Market.ts'
import * as Schedule from './Schedule.ts'

const pyth =
  'America/New_York;O,O,O,O,0000-1700,C,1700-2400;1224/0000-1700,1225/1700-2400,1231/0000-1700,0101/1700-2400'
const forex = Schedule.parse(pyth)

const at = (time: string) => Date.parse(time) / 1000
const toTime = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().replace(':00.000Z', 'Z')

function hoursOf(schedule: Parameters<typeof Market.hoursOf>[0], time: string) {
  const { isOpen, nextOpen, nextClose } = Market.hoursOf(schedule, at(time))
  return { isOpen, nextOpen: toTime(nextOpen), nextClose: toTime(nextClose) }
}

/** The closures of foreign exchange in New York, by hand: from the close to the open, in UTC. */
const closures = [
  // New Year's Day of 2026 is a Thursday: closed from 17:00 on Wednesday to 17:00 on Thursday.
  ['2025-12-31T22:00Z', '2026-01-01T22:00Z'],
  ['2026-01-02T22:00Z', '2026-01-04T22:00Z'],
  // The last weekend of winter time closes at 22:00 UTC and opens at 21:00: the clock changes on Sunday, 8 March.
  ['2026-03-06T22:00Z', '2026-03-08T21:00Z'],
  ['2026-03-13T21:00Z', '2026-03-15T21:00Z'],
  ['2026-07-03T21:00Z', '2026-07-05T21:00Z'],
  // Summer time ends on Sunday, 1 November.
  ['2026-10-30T21:00Z', '2026-11-01T22:00Z'],
  ['2026-11-06T22:00Z', '2026-11-08T22:00Z'],
  // Christmas Eve of 2026 is a Thursday, Christmas a Friday, whose evening the exception opens until the Saturday.
  ['2026-12-24T22:00Z', '2026-12-25T22:00Z'],
  ['2026-12-26T05:00Z', '2026-12-27T22:00Z'],
  // New Year's Eve of 2026 is a Thursday, New Year's Day of 2027 a Friday.
  ['2026-12-31T22:00Z', '2027-01-01T22:00Z'],
  ['2027-01-02T05:00Z', '2027-01-03T22:00Z'],
  // 14 March and 7 November of 2027.
  ['2027-03-12T22:00Z', '2027-03-14T21:00Z'],
  ['2027-11-05T21:00Z', '2027-11-07T22:00Z'],
  // Christmas Eve of 2027 is a Friday, Christmas a Saturday, whose evening the exception opens.
  ['2027-12-24T22:00Z', '2027-12-25T22:00Z'],
  ['2027-12-26T05:00Z', '2027-12-26T22:00Z'],
  // New Year's Eve of 2027 is a Friday, New Year's Day of 2028 a Saturday.
  ['2027-12-31T22:00Z', '2028-01-01T22:00Z'],
] as const

describe('hoursOf', () => {
  it.each(closures)('foreign exchange in New York closes at %s and opens at %s', (close, open) => {
    const before = new Date(at(close) * 1000 - 1000).toISOString()
    expect(hoursOf(forex, before)).toEqual({ isOpen: true, nextClose: close, nextOpen: open })
    expect(hoursOf(forex, close)).toMatchObject({ isOpen: false, nextOpen: open })
    const last = new Date(at(open) * 1000 - 1000).toISOString()
    expect(hoursOf(forex, last)).toMatchObject({ isOpen: false, nextOpen: open })
    expect(hoursOf(forex, open)).toMatchObject({ isOpen: true })
  })

  it('in 2026 and 2027 foreign exchange in New York closes once a week and at the holidays, and never else', () => {
    const found: string[] = []
    let now = at('2026-01-02T00:00Z')
    while (now < at('2028-01-01T00:00Z')) {
      const { nextClose, nextOpen = Infinity } = Market.hoursOf(forex, now)
      found.push(`${toTime(nextClose)} ${toTime(nextOpen)}`)
      now = nextOpen
    }
    const listed = closures.slice(1).map((closure) => closure.join(' '))
    expect(found.filter((closure) => listed.includes(closure))).toEqual(listed)
    // The weekends of 104 weeks, without the eleven that are listed.
    const weekends = found.filter((closure) => !listed.includes(closure))
    expect(weekends).toHaveLength(93)
    const options = { timeZone: 'America/New_York', weekday: 'short', hour: 'numeric', minute: '2-digit' } as const
    const format = (time: string) => new Date(time).toLocaleString('en-US', options)
    for (const weekend of weekends) expect(weekend.split(' ').map(format)).toEqual(['Fri 5:00 PM', 'Sun 5:00 PM'])
  })

  it('a market with breaks opens again after each of them', () => {
    const tokyo = Schedule.parse('Asia/Tokyo;0900-1130&1230-1530,0900-1130&1230-1530,C,C,C,C,C')
    expect(hoursOf(tokyo, '2026-11-23T00:00:00Z')).toEqual({
      isOpen: true,
      nextClose: '2026-11-23T02:30Z',
      nextOpen: '2026-11-23T03:30Z',
    })
    expect(hoursOf(tokyo, '2026-11-24T06:30:00Z')).toEqual({
      isOpen: false,
      nextOpen: '2026-11-30T00:00Z',
      nextClose: '2026-11-30T02:30Z',
    })
  })

  it('a market that is open on all days has no next close and no next open', () => {
    const always = Schedule.parse('UTC;O,O,O,O,O,O,O')
    expect(hoursOf(always, '2026-11-23T00:00:00Z')).toEqual({ isOpen: true })
    expect(hoursOf(Schedule.parse('UTC;C,C,C,C,C,C,C'), '2026-11-23T00:00:00Z')).toEqual({ isOpen: false })
  })

  it('a day whose clock is set forward from 23:30 of the day before is not skipped', () => {
    const sundays = Schedule.parse('America/New_York;C,C,C,C,C,C,O')
    expect(hoursOf(sundays, '2026-03-08T04:30:00Z')).toMatchObject({
      nextOpen: '2026-03-08T05:00Z',
      nextClose: '2026-03-09T04:00Z',
    })
  })

  it('a session in an hour that the clock shows twice is open in both of them', () => {
    const early = Schedule.parse('America/New_York;C,C,C,C,C,C,0100-0130')
    const first = { isOpen: true, nextClose: '2026-11-01T05:30Z', nextOpen: '2026-11-01T06:00Z' }
    expect(hoursOf(early, '2026-11-01T05:00:00Z')).toEqual(first)
    expect(hoursOf(early, '2026-11-01T06:00:00Z')).toMatchObject({ isOpen: true, nextClose: '2026-11-01T06:30Z' })
  })

  it('a session in an hour that the clock skips does not take place on that day', () => {
    const early = Schedule.parse('America/New_York;C,C,C,C,C,C,0210-0250')
    expect(hoursOf(early, '2026-03-07T12:00:00Z')).toMatchObject({ isOpen: false, nextOpen: '2026-03-15T06:10Z' })
  })

  it('a session that begins in a skipped hour is open from the change of the clock on', () => {
    const early = Schedule.parse('America/New_York;C,C,C,C,C,C,0210-0400')
    expect(hoursOf(early, '2026-03-07T12:00:00Z')).toMatchObject({
      nextOpen: '2026-03-08T07:00Z',
      nextClose: '2026-03-08T08:00Z',
    })
  })

  it('a zone whose clock is set forward at midnight has a first time of that day', () => {
    const cairo = Schedule.parse('Africa/Cairo;C,C,C,C,O,C,C')
    // On Friday, 24 April 2026 the clock goes from 00:00 to 01:00.
    expect(hoursOf(cairo, '2026-04-23T12:00:00Z')).toMatchObject({
      nextOpen: '2026-04-23T22:00Z',
      nextClose: '2026-04-24T21:00Z',
    })
  })
})

const day = Schedule.parse('UTC;0800-1600,0800-1600,0800-1600,0800-1600,0800-1600,C,C')
const late = Schedule.parse('UTC;1200-2000,1200-2000,1200-2000,1200-2000,1200-2000,C,C')
const never = Schedule.parse('UTC;0000-0800,C,C,C,C,C,C')
const always = Schedule.parse('UTC;O,O,O,O,O,O,O')

describe('findHours', () => {
  it('without a schedule nothing is known', () => {
    expect(Market.findHours([], 0)).toBeUndefined()
    expect(Market.areOpen([], 0)).toBeUndefined()
  })

  it('two markets are open together while both are', () => {
    const noon = { isOpen: false, nextOpen: at('2026-11-23T12:00Z'), nextClose: at('2026-11-23T16:00Z') }
    expect(Market.findHours([day, late], at('2026-11-23T09:00Z'))).toEqual(noon)
    const afternoon = { isOpen: true, nextClose: at('2026-11-23T16:00Z'), nextOpen: at('2026-11-24T12:00Z') }
    expect(Market.findHours([day, late], at('2026-11-23T13:00Z'))).toEqual(afternoon)
    expect(Market.findHours([late, day], at('2026-11-27T16:00Z'))).toMatchObject({ nextOpen: at('2026-11-30T12:00Z') })
  })

  it('two markets that are never open together have no next open', () => {
    expect(Market.findHours([day, never], at('2026-11-23T09:00Z'))).toEqual({ isOpen: false })
  })

  it('a market beside one that is always open has its own hours', () => {
    for (const time of ['2026-11-23T07:00Z', '2026-11-23T09:00Z', '2026-11-27T17:00Z']) {
      expect(Market.findHours([always, day], at(time))).toEqual(Market.hoursOf(day, at(time)))
    }
  })

  it('the hours belong to the time of the call, even if calls go back in time', () => {
    const times = Array.from({ length: 500 }, (_, index) => at('2026-11-20T00:00Z') + ((index * 7919 * 60) % 1_209_600))
    for (const time of times) {
      expect(Market.findHours([day], time)).toEqual(Market.hoursOf(day, time))
      expect(Market.areOpen([day], time)).toBe(Market.hoursOf(day, time).isOpen)
    }
  })
})
