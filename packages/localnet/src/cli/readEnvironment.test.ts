import { expect, it } from 'vitest'
import { readConsoleSwitch, readFinalityBlocks } from './readEnvironment.ts'

it('the console is on unless CONSOLE says off', () => {
  expect([{}, { CONSOLE: '' }, { CONSOLE: 'on' }, { CONSOLE: 'off' }].map(readConsoleSwitch)).toEqual([
    true,
    true,
    true,
    false,
  ])
})

it('error: another value of CONSOLE is named', () => {
  expect(() => readConsoleSwitch({ CONSOLE: 'no' })).toThrow("Cannot use CONSOLE: 'no' is neither on nor off")
})

it('a block is safe after five others unless FINALITY_BLOCKS is another number', () => {
  expect(
    [{}, { FINALITY_BLOCKS: '' }, { FINALITY_BLOCKS: '0' }, { FINALITY_BLOCKS: '64' }].map(readFinalityBlocks),
  ).toEqual([5, 5, 0, 64])
})

it.each(['-1', '1.5', '10000', 'two'])('error: FINALITY_BLOCKS of %j is named', (value) => {
  expect(() => readFinalityBlocks({ FINALITY_BLOCKS: value })).toThrow(`Cannot use FINALITY_BLOCKS: '${value}' is not`)
})
