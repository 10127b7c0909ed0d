import { expect, it } from 'vitest'
import { formatLiteral } from './toSdkCode.ts'

it('a literal that is too long for its line has a line for each part, as far as that is needed', () => {
  const long = 'x'.repeat(50)
  expect(formatLiteral({ amounts: [long, long, long], permit: { kind: 'eip2612' } })).toBe(`{
  amounts: [
    '${long}',
    '${long}',
    '${long}',
  ],
  permit: { kind: 'eip2612' },
}`)
})

it('the text around a literal counts for the length of its line', () => {
  const value = { text: 'x'.repeat(100) }
  const { length } = formatLiteral(value)
  expect(formatLiteral(value, 120 - length)).not.toContain('\n')
  expect(formatLiteral(value, 121 - length)).toContain('\n')
})
