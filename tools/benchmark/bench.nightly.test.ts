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
  const measuredInMemory = ['Agio, REST', 'Agio, REST and tRPC', ...(hasPostgres ? ['Agio, REST, on PostgreSQL'] : [])]
  expect(rows.map(([title]) => title)).toEqual([
    'node:http, constant response',
    'Hono and zod, constant response',
    'trpc-to-openapi, constant response',
    'trpc-to-openapi and readContract',
    'Agio, REST',
    'Agio, tRPC',
    'Agio, tRPC, batches of 10',
    'Agio, REST and tRPC',
    'Agio, REST, two pools in sequence',
    'Agio, REST, a foreign pool',
    'Agio, REST, two foreign pools in sequence',
    'Agio, REST, 10 pools',
    'Agio, REST, on Deno',
    'Agio, REST, 1 % traced',
    ...(hasPostgres ? ['Agio, REST, on PostgreSQL', 'Agio, REST, on PostgreSQL and Redis'] : []),
    'REST to a bare endpoint of Hono and zod with the same schema',
    'REST on Deno to that endpoint on Node',
    'REST to trpc-to-openapi and `readContract` on the same node',
    'tRPC to REST',
    'a call in a batch of ten over tRPC to REST',
    '10 pools to 2',
    'REST with 1 % of the requests traced to REST without a collector',
    'a foreign pool to one of ours',
    'two foreign pools in sequence to two of ours',
    'p99 of REST at half load, relative to Hono and zod',
    ...measuredInMemory.flatMap((title) => [
      `MB of ${title} after 1,000 previews`,
      `growth of ${title} over the last half`,
    ]),
    ...measuredInMemory.flatMap((title) => ['0', '500', '1,000'].map((previews) => `${title}, ${previews}`)),
  ])
  for (const [title, ...values] of rows) {
    const measured = values.filter((value) => !/^(yes|no|at most .*)$/.test(value))
    expect(measured.length, title).toBeGreaterThan(0)
    for (const value of measured) expect(Number(value.replaceAll(',', '')), title).toBeGreaterThan(0)
  }
  expect(
    stdout.match(/^Requests to the node .* of Agio, REST, a foreign pool: [01] state reads at [01] blocks, /m),
  ).not.toBeNull()
  expect(stdout).toMatch(
    /^Requests to the node at full load, within [\d.]+ s, of Agio, REST: \d+ state reads at \d+ blocks, /m,
  )
  expect(stderr).toContain('Round 1 of 1: Agio, REST\n')
})
