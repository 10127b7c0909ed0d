import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

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
