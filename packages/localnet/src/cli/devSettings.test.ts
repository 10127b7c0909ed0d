import { expect, it, test } from 'vitest'
import { parseSettings } from '@agio/server/cli'
import { devSettings, parseForks } from './devSettings.ts'

const parse = (environment: Readonly<Record<string, string>>) => parseSettings(devSettings, environment).values

it('the console is on unless CONSOLE says off', () => {
  const values = [{}, { CONSOLE: '' }, { CONSOLE: 'on' }, { CONSOLE: 'off' }].map(parse)
  expect(values.map(({ console }) => console)).toEqual(['on', 'on', 'on', 'off'])
})

it('a block is safe after five others unless FINALITY_BLOCKS is another number', () => {
  const environments = [{}, { FINALITY_BLOCKS: '' }, { FINALITY_BLOCKS: '0' }, { FINALITY_BLOCKS: '64' }]
  expect(environments.map((environment) => parse(environment).finalityBlocks)).toEqual([5, 5, 0, 64])
})

it.each([
  ['CONSOLE', 'no'],
  ['FINALITY_BLOCKS', '-1'],
  ['RPC_PORT', '65535'],
  ['PORT', '65536'],
  ['LOG_LEVEL', 'loud'],
])('error: %s of %j is named', (name, value) => {
  expect(() => parse({ [name]: value })).toThrow(new RegExp(`^Cannot start: .*${name}`, 's'))
})

test('parseForks returns a URL for each chain, which may contain `=`', () => {
  expect(parseForks([])).toEqual({})
  expect(parseForks(['84532=https://node.example/v1?key=a=b', '421614=http://127.0.0.1:8545'])).toEqual({
    84532: 'https://node.example/v1?key=a=b',
    421614: 'http://127.0.0.1:8545',
  })
})

test.each(['', '84532', '84532=', '84532=node', '84532=ws://127.0.0.1', '1=http://127.0.0.1', '=http://127.0.0.1'])(
  'error: parseForks rejects %j',
  (value) => {
    expect(() => parseForks([value])).toThrow('--fork takes <chain>=<http URL>')
  },
)
