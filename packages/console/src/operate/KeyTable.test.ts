import type { KeyStats } from '@agio/sdk/admin'
import { expect, it } from 'vitest'
import { toCsv } from '../ui/csv.ts'
import { sortKeys, toKeyRows, toNextOrder } from './KeyTable.tsx'

function key(name: string, fields: Partial<KeyStats>): KeyStats {
  return {
    id: name,
    prefix: 'agio_',
    name,
    tier: 'standard',
    createdAt: '2026-11-01T00:00:00.000Z',
    calls: 0,
    callsByOperation: {},
    refused: 0,
    days: [],
    ...fields,
  }
}

const namesOf = (keys: readonly KeyStats[]) => keys.map(({ name }) => name)

it('numbers are sorted as numbers, in both directions, and equal numbers keep their order', () => {
  const keys = [key('a', { calls: 9 }), key('b', { calls: 10 }), key('c', { calls: 9 })]
  expect(namesOf(sortKeys(keys, { column: 'calls', isAscending: true }))).toEqual(['a', 'c', 'b'])
  expect(namesOf(sortKeys(keys, { column: 'calls', isAscending: false }))).toEqual(['b', 'a', 'c'])
})

it('names are sorted alphabetically, and the given list is not changed', () => {
  const keys = [key('shop 10', {}), key('Shop 9', {}), key('bank', {})]
  expect(namesOf(sortKeys(keys, { column: 'name', isAscending: true }))).toEqual(['bank', 'Shop 9', 'shop 10'])
  expect(namesOf(keys)).toEqual(['shop 10', 'Shop 9', 'bank'])
})

it('keys without a value come last in both directions', () => {
  const keys = [
    key('never', {}),
    key('early', { lastUsedAt: '2026-11-02T00:00:00.000Z' }),
    key('late', { lastUsedAt: '2026-11-03T00:00:00.000Z' }),
  ]
  expect(namesOf(sortKeys(keys, { column: 'lastUsedAt', isAscending: true }))).toEqual(['early', 'late', 'never'])
  expect(namesOf(sortKeys(keys, { column: 'lastUsedAt', isAscending: false }))).toEqual(['late', 'early', 'never'])
})

it('a second click on a column reverses its default order', () => {
  const byCalls = toNextOrder({ column: 'name', isAscending: true }, 'calls')
  expect(byCalls).toEqual({ column: 'calls', isAscending: false })
  expect(toNextOrder(byCalls, 'calls')).toEqual({ column: 'calls', isAscending: true })
  expect(toNextOrder(byCalls, 'tier')).toEqual({ column: 'tier', isAscending: true })
})

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
