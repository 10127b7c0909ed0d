import { expect, test } from 'vitest'
import { parseScenarioCommand } from './parseScenarioCommand.ts'

const parse = (line: string) => parseScenarioCommand(line.split(' ').filter(Boolean))

test.each([
  ['rpc-down', { name: 'rpc-down', fields: {} }],
  ['reset', { name: 'reset', fields: {} }],
  ['reorg --depth 3 --chain 421614', { name: 'reorg', fields: { depth: 3, chainId: 421_614 } }],
  ['price-move --symbol tAUD --percent -5', { name: 'price-move', fields: { symbol: 'tAUD', percent: -5 } }],
  ['--percent=-0.25 --symbol tAUD price-move', { name: 'price-move', fields: { symbol: 'tAUD', percent: -0.25 } }],
  ['price-move --percent +.5', { name: 'price-move', fields: { percent: 0.5 } }],
  ['rpc-slow --ms 6e3', { name: 'rpc-slow', fields: { ms: 6000 } }],
  ['price-move --percent 5%', { name: 'price-move', fields: { percent: '5%' } }],
  ['thin-pool --pool tAUD/tUSD', { name: 'thin-pool', fields: { pool: 'tAUD/tUSD' } }],
])('parseScenarioCommand parses `%s`', (line, command) => {
  expect(parse(line)).toEqual(command)
})

test.each([
  ['', 'its name is missing'],
  ['nope', "unknown scenario 'nope', the scenarios are stale-price, price-move, "],
  ['__proto__', "unknown scenario '__proto__', the scenarios are stale-price, "],
  ['reset all', "unexpected argument 'all'"],
  ['reorg --deep 3', "Unknown option '--deep'"],
  ['reorg --depth', 'argument missing'],
])('error: parseScenarioCommand rejects `%s` in one sentence', (line, reason) => {
  expect(() => parse(line)).toThrow(reason)
  expect(() => parse(line)).toThrow(/^Cannot run a scenario: [^\n]* \(pnpm scenario --help lists them\)$/)
})
