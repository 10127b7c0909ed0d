import { describe, expect, it } from 'vitest'
import * as Schedule from './Schedule.ts'

const open = [{ start: 0, end: 1440 }]

describe('parse', () => {
  it('a schedule of Pyth is read with its zone, its week and its exceptions', () => {
    const schedule = Schedule.parse('America/New_York;O,O,O,O,0000-1700,C,1700-2400;1224/0000-1700,1225/C')
    expect(schedule).toEqual({
      timeZone: 'America/New_York',
      week: [open, open, open, open, [{ start: 0, end: 1020 }], [], [{ start: 1020, end: 1440 }]],
      exceptions: new Map([
        ['1224', [{ start: 0, end: 1020 }]],
        ['1225', []],
      ]),
    })
  })

  it('a schedule without exceptions is read with and without its last semicolon', () => {
    const week = 'UTC;O,O,O,O,O,C,C'
    expect(Schedule.parse(week)).toEqual(Schedule.parse(`${week};`))
  })

  it('a session with a break is read as two ranges', () => {
    const { week } = Schedule.parse('Asia/Tokyo;0900-1130&1230-1530,C,C,C,C,C,C;0229/O')
    expect(week[0]).toEqual([
      { start: 540, end: 690 },
      { start: 750, end: 930 },
    ])
  })

  it.each([
    ['Mars/Olympus;O,O,O,O,O,O,O', 'is not a time zone'],
    ['UTC;O,O,O,O,O,O', 'has 6 days, not 7'],
    ['UTC;X,O,O,O,O,O,O', 'use O, C or HHMM-HHMM'],
    ['UTC;0900-2401,O,O,O,O,O,O', 'use 0000 to 2400'],
    ['UTC;1700-0900,O,O,O,O,O,O', 'ends before it starts'],
    ['UTC;0900-1200&1100-1300,O,O,O,O,O,O', 'its ranges overlap'],
    ['UTC;O,O,O,O,O,O,O;1301/C', 'is not MMDD/session'],
    ['UTC;O,O,O,O,O,O,O;1225', 'use O, C or HHMM-HHMM'],
    ['UTC;O,O,O,O,O,O,O;;', 'more than three parts'],
  ])('error: the schedule %j names what is wrong with it', (text, reason) => {
    expect(() => Schedule.parse(text)).toThrow(reason)
  })
})
