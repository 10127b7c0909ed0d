import { expect, it } from 'vitest'
import { quoteForShell } from './quoteForShell.ts'

it.each([
  ['http://127.0.0.1:3000/api/v1/chains', 'http://127.0.0.1:3000/api/v1/chains'],
  ['', "''"],
  ['a b', "'a b'"],
  ['http://host/?a=1&b=2', "'http://host/?a=1&b=2'"],
  ['$HOME `id` "x" \\ !', `'$HOME \`id\` "x" \\ !'`],
  ["it's", String.raw`'it'\''s'`],
  ["'", String.raw`''\'''`],
  ['~', "'~'"],
  ['=ls', "'=ls'"],
  ['a\nb', "'a\nb'"],
])('the text %j is the word %s', (text, word) => {
  expect(quoteForShell(text)).toBe(word)
})
