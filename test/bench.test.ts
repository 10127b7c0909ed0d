import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, inject, it } from 'vitest'
import { findServices } from './stack/findServices.ts'

const hasPostgres = await findServices(['PostgreSQL'], 'pnpm bench on PostgreSQL')

const root = fileURLToPath(new URL('..', import.meta.url))

it('pnpm bench measures every subject', { timeout: 180_000 }, async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['test/bench/main.ts', '--quick'], {
    cwd: root,
    // On disk, for the service on Deno.
    env: { ...process.env, TMPDIR: inject('diskFolder') },
  })
  const cells = stdout.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.slice(2, -2).split(' | ')] : []))
  const rows = cells.filter(
    ([title = '', value]) =>
      !['subject', 'comparison', 'resident memory after previews', '---'].includes(title) && value,
  )
  expect(rows.map(([title]) => title)).toEqual([
    'node:http, constant response',
    'Hono and zod, constant response',
    'trpc-to-openapi, constant response',
    'trpc-to-openapi and readContract',
    'Agio, REST',
    'Agio, tRPC',
    'Agio, REST, 10 pools',
    'Agio, REST, on Deno',
    ...(hasPostgres ? ['Agio, REST, small memory'] : []),
    'throughput relative to a bare endpoint of Hono and zod with the same schema',
    'throughput relative to trpc-to-openapi and `readContract` on the same node',
    'throughput of tRPC relative to REST',
    'throughput on Deno relative to Node',
    'cost of a preview with 10 pools relative to 2 pools',
    ...['Agio, REST', ...(hasPostgres ? ['Agio, REST, small memory'] : [])].flatMap((title) =>
      ['0', '500', '1,000'].map((previews) => `${title}, ${previews}`),
    ),
  ])
  for (const [title, ...values] of rows) {
    for (const value of values) expect(Number(value.replaceAll(',', '')), title).toBeGreaterThan(0)
  }
  expect(stdout).toMatch(/^Requests to the node at full load, within [\d.]+ s: \d+ state reads at \d+ blocks, /m)
  expect(stderr).toContain('Round 1 of 1: Agio, REST\n')
})
