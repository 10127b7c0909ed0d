import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { addTrial } from '../long/trials.ts'

const soak = { trial: 'Soak', tried: 'a | b', result: '0 lost' }
const disk = { trial: 'Full disk', tried: 'one\nline', result: 'none lost' }
const first = { date: '2026-11-22', commit: 'abc1234', machine: 'one core' }
const second = { date: '2026-11-23', commit: 'after def5678', machine: 'two cores' }

it('the document of trials has a row per trial, in the order of their names', () => {
  const document = addTrial(addTrial('', soak, first), disk, second)
  expect(listRows(document)).toEqual([
    '| trial | tried | result | date, commit |',
    '| --- | --- | --- | --- |',
    '| Full disk | one line | none lost | 2026-11-23, after def5678 |',
    '| Soak | a \\| b | 0 lost | 2026-11-22, abc1234 |',
  ])
})

it('the head of the document of trials has the date, the commit and the machine of the last trial', () => {
  const document = addTrial(addTrial('', soak, first), disk, second)
  expect(document).toContain('Last trial: 2026-11-23. Commit: after def5678. Machine: two cores.')
  expect(document).not.toContain('one core')
})

it('a repeated trial replaces its own row in the document of trials and keeps the others', () => {
  const document = addTrial(addTrial('', disk, second), soak, first)
  expect(addTrial(document, soak, first)).toBe(document)
  expect(addTrial(document, { ...soak, result: '1 lost' }, first)).toBe(document.replace('0 lost', '1 lost'))
})

it('a row without a commit stays without one', () => {
  const document = addTrial('', disk, second).replace(', after def5678 |', ' |')
  expect(listRows(addTrial(document, soak, first))[2]).toBe('| Full disk | one line | none lost | 2026-11-23 |')
})

const firstCommit = '092e87c253353ab0b5c2bf8a110cc57273a8297c'

// A shallow clone has no history, nor has a copy of the files in a new repository.
it.skipIf(git('merge-base', firstCommit, 'HEAD') === undefined).each(['performance', 'reliability'])(
  'docs/reports/%s.md cites only commits of the history',
  async (name) => {
    const text = await readFile(new URL(`../../docs/reports/${name}.md`, import.meta.url), 'utf8')
    const cited = Array.from(
      text.matchAll(/(?:Commit: |, )(?:after )?([0-9a-f]{7,40})(?:\.| \|)/g),
      ([, hash]) => hash ?? '',
    )
    expect(cited.filter((hash) => git('merge-base', hash, 'HEAD')?.startsWith(hash) !== true)).toEqual([])
  },
)

function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

function listRows(document: string): readonly string[] {
  return document.split('\n').filter((line) => line.startsWith('| '))
}
