import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const phrases = [
  'that of the',
  'those of the',
  'is none',
  'are none',
  'of now',
  'nobody',
  'whoever',
  'is to be had',
  'it is no',
  'stands beside',
  'if at all',
  'in the place of',
]

const exempt = new Set([
  // This test, which lists the phrases.
  'test/repository/words.test.ts',
])

const pattern = toPattern(phrases)

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md', '*.sol'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && !exempt.has(path) && existsSync(`${root}${path}`))

it('no file contains a phrase that plain English says in another way', () => {
  expect(files.flatMap((path) => findPhrases(path, readFileSync(`${root}${path}`, 'utf8')))).toEqual([])
})

/** Lists each phrase in a text as `<path>:<line>: <phrase>`, with the line at which the phrase begins. */
function findPhrases(path: string, text: string): readonly string[] {
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => {
    const line = text.slice(0, index).split('\n').length
    return `${path}:${line}: ${found.replaceAll(/[\s/*>]+/g, ' ')}`
  })
}

/** Returns a pattern of whole words, which one line break with the mark of a comment or a quotation may separate. */
function toPattern(texts: readonly string[]): RegExp {
  const separator = String.raw`(?:[ \t]+|[ \t]*\n[ \t]*(?:/{2,}|\*|>)?[ \t]*)`
  const alternatives = texts.map((text) => text.replaceAll(' ', separator))
  // "it is no longer" is plain English.
  return new RegExp(String.raw`\b(?:${alternatives.join('|')})\b(?!${separator}longer\b)`, 'gi')
}
