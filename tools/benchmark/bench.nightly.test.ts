import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, inject, it } from 'vitest'
import { findServices } from '../../test/harness/findServices.ts'
import { longTests } from '../../test/harness/timeLimits.ts'

const hasPostgres = await findServices(['PostgreSQL'], 'pnpm bench on PostgreSQL')

const root = fileURLToPath(new URL('../..', import.meta.url))

// A minute on an idle machine.
it('pnpm bench measures every subject', { timeout: longTests.wholeProgram }, async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['tools/benchmark/main.ts', '--quick'], {
    cwd: root,
    // On disk, for the service on Deno.
    env: { ...process.env, TMPDIR: inject('diskFolder') },
  })
  const cells = stdout.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.slice(2, -2).split(' | ')] : []))
  const heads = new Set(['subject', 'comparison', 'limit', 'resident memory after previews', '---'])
  const rows = cells.filter(([title = '']) => !heads.has(title))
  // Subjects, comparisons, limits, and the memory of two or three subjects at the start, the middle and the end.
  expect(rows).toHaveLength(hasPostgres ? 16 + 9 + 7 + 9 : 14 + 9 + 5 + 6)
  for (const [title, ...values] of rows) {
    const measured = values.filter((value) => !/^(yes|no|at most .*)$/.test(value))
    expect(measured.length, title).toBeGreaterThan(0)
    for (const value of measured) expect(Number(value.replaceAll(',', '')), title).toBeGreaterThan(0)
  }
  expect(stdout).toMatch(/^Requests to the node .* of Agio, REST, a foreign pool: [01] state reads at [01] blocks, /m)
  expect(stdout).toMatch(
    /^Requests to the node at full load, within [\d.]+ s, of Agio, REST: \d+ state reads at \d+ blocks, /m,
  )
  expect(stderr).toContain('Round 1 of 1: Agio, REST\n')
})
