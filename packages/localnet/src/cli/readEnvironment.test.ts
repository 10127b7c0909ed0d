import { expect, it } from 'vitest'
import { readConsoleSwitch } from './readEnvironment.ts'

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
