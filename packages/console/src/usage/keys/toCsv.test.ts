import { expect, it } from 'vitest'
import { toCsv } from './toCsv.ts'

it('each row is a line of comma-separated cells with a line end', () => {
  expect(
    toCsv([
      ['Name', 'Calls'],
      ['Shop', '12'],
    ]),
  ).toBe('Name,Calls\r\nShop,12\r\n')
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

it('a formula with a comma is quoted after it was made a text', () => {
  expect(toCsv([['=HYPERLINK("https://evil.example","a")']])).toBe(`"'=HYPERLINK(""https://evil.example"",""a"")"\r\n`)
})
