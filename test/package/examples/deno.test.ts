import { fileURLToPath } from 'node:url'
import { describe, expect, inject, it } from 'vitest'
import { runOrThrow } from '../run.ts'
import { createExample } from './createExample.ts'

const deno = fileURLToPath(new URL('../../../node_modules/.bin/deno', import.meta.url))

describe.skipIf(!inject('isOnline'))('the example for Deno', () => {
  it('pays for an exact output, with only the permission of its task', async () => {
    await using project = await createExample('deno', ['viem'])
    const printed = await runOrThrow(deno, ['task', 'convert'], { cwd: project.folder, env: { NO_COLOR: '1' } })
    const lines = printed.trim().split('\n')
    expect(lines[0]).toMatch(/^50 tUSD cost 46\.\d{6} tEUR, and at most 46\.\d{6}$/)
    expect(lines.map((line) => line.replace(/ 0x.*| $/, ''))).toEqual(
      expect.arrayContaining(['quote done', 'approve sent', 'approve done', 'convert sent', 'confirm done']),
    )
    expect(lines.at(-1)).toMatch(/^Paid 46\.\d{6} tEUR$/)
  })
})
