import { expect, it } from 'vitest'
import { readStartSettings } from './localSettings.ts'

it('the console is on unless CONSOLE says off', () => {
  const values = [{}, { CONSOLE: '' }, { CONSOLE: 'on' }, { CONSOLE: 'off' }].map(readStartSettings)
  expect(values.map(({ console }) => console)).toEqual(['on', 'on', 'on', 'off'])
})

it('a block is safe after five others unless FINALITY_BLOCKS is another number', () => {
  const environments = [{}, { FINALITY_BLOCKS: '' }, { FINALITY_BLOCKS: '0' }, { FINALITY_BLOCKS: '64' }]
  expect(environments.map((environment) => readStartSettings(environment).finalityBlocks)).toEqual([5, 5, 0, 64])
})

it.each([
  ['CONSOLE', 'no'],
  ['FINALITY_BLOCKS', '-1'],
  ['FINALITY_BLOCKS', '1.5'],
  ['FINALITY_BLOCKS', '10000'],
  ['FINALITY_BLOCKS', 'two'],
  ['RPC_PORT', '65535'],
  ['PORT', '65536'],
  ['LOG_LEVEL', 'loud'],
])('error: %s of %j is named', (name, value) => {
  expect(() => readStartSettings({ [name]: value })).toThrow(new RegExp(`^Cannot start: .*${name}`, 's'))
})
