import { cpus, totalmem } from 'node:os'
import process from 'node:process'
import { execFileSync } from 'node:child_process'

/** A run of the tests on a slow machine. */
export type Run = {
  readonly load: 'both cores are busy' | 'all processes pause'
  readonly status: number
  readonly pauses: number
  readonly seconds: number
  /** The line of Vitest with the counts of tests. */
  readonly tests: string
  /** The titles of the tests that failed. */
  readonly failed: readonly string[]
}

/** Returns the page of the last trial. */
export function formatReport(runs: readonly Run[], seed: string): string {
  const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const rows = runs.map(
    ({ load, pauses, seconds, tests, failed }) =>
      `| ${load} | ${pauses} | ${Math.round(seconds)} | ${tests} | ${failed.join('<br>') || 'none'} |`,
  )
  return `# Tests on a slow machine

Date: ${date}. Commit: ${commit}. Machine: ${machine}, Node ${process.versions.node}. Seed ${seed}.

\`pnpm test:slow --write\` writes this page. A busy machine has two more processes that hash without a pause. On a machine that stands
still, the tests and all their processes except databases stop for 6 s at random moments, at most 60 s apart.

| machine | pauses | seconds | tests | failed |
| --- | ---: | ---: | --- | --- |
${rows.join('\n')}
`
}
