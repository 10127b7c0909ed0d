import { expect, it } from 'vitest'
import { toCsv, toKeyRows } from './keyCsv.ts'

it('a key is a row of the columns of the header, with empty cells for what it does not have', () => {
  const [header = [], row] = toKeyRows([
    {
      id: 'key_1',
      prefix: 'agio_Qmoied',
      name: 'Shop',
      tier: 'local',
      createdAt: '2026-11-01T08:00:00.000Z',
      calls: 12,
      callsByOperation: { 'pools.list': 12 },
      refused: 3,
      days: [],
    },
  ])
  expect(header).toHaveLength(12)
  expect(row).toEqual([
    'key_1',
    'agio_Qmoied',
    'Shop',
    '',
    'local',
    '2026-11-01T08:00:00.000Z',
    '',
    '',
    '12',
    '3',
    '',
    '',
  ])
})

it.each([
  ['a comma', 'Shop, Ltd', '"Shop, Ltd"'],
  ['a quotation mark', 'The "Shop"', '"The ""Shop"""'],
  ['a line break', 'one\ntwo', '"one\ntwo"'],
  ['nothing', '', ''],
])('a cell with %s stays one cell', (_, text, cell) => {
  expect(toCsv([[text]])).toBe(`${cell}\r\n`)
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('the cell %j is not a formula', (text) => {
  expect(toCsv([[text]]).replace('"', '')).toMatch(/^'/)
})
