import { expect, it } from 'vitest'
import { matchAnswers } from './matchAnswers.ts'

const questions = [{ id: 7 }, { id: 8 }]
const [seven, eight] = [
  { id: 7, result: 'seven' },
  { id: 8, result: 'eight' },
]

it('lets answers pass, in whatever order', () => {
  expect(matchAnswers(questions, [eight, seven])).toEqual([eight, seven])
  expect(matchAnswers(questions, [seven, { id: 8, error: { code: 3 } }])).toHaveLength(2)
})

it.each([undefined, null, 7])('gives one error for the whole batch (id %s) to each of its questions', (id) => {
  const error = { code: -32_005, message: 'limit exceeded' }
  expect(matchAnswers(questions, { id, error })).toEqual([
    { jsonrpc: '2.0', id: 7, error },
    { jsonrpc: '2.0', id: 8, error },
  ])
})

it.each([
  ['none', []],
  ['one too few', [seven]],
  ['one too many', [seven, eight, { id: 9, result: 'nine' }]],
  ['one of another id', [seven, { id: 9, result: 'nine' }]],
  ['one twice', [seven, seven]],
  ['one whose id is a text', [seven, { ...eight, id: '8' }]],
  ['one that says nothing', [seven, { id: 8 }]],
  ['one that is null', [seven, null]],
  ['an object', {}],
  ['a result that is no list', { id: 7, result: 'seven' }],
  ['an error of another id', { id: 9, error: { code: 3 } }],
  ['a text', 'seven'],
  ['null', null],
])('throws a SyntaxError for %s', (_, answered) => {
  expect(() => matchAnswers(questions, answered)).toThrow(SyntaxError)
})
