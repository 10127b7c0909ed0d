import { expect, test } from 'vitest'
import { parseForks } from './readLocalnetOptions.ts'

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
