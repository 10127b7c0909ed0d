// Measures previews side by side, prints the tables, and writes them to docs/reports/performance.md: `pnpm bench`.
// `pnpm bench --quick` only checks that everything runs, and writes nothing.
import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { describeCommit, describeMachine } from '../../test/reports/describeRun.ts'
import { canPin } from './cores.ts'
import { formatReport } from './formatReport.ts'
import { runBench } from './runBench.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const length = values.quick
  ? { rounds: 1, warmUps: 0, seconds: 0.3, previews: 1000, steps: 2, pools: 10 }
  : { rounds: 3, warmUps: 1, seconds: 3, previews: 1_000_000, steps: 10, pools: 200 }

const pinning = canPin ? 'the subject alone on the first core' : 'no process pinned to a core'

const startedMs = performance.now()
const onProgress = (message: string) => {
  console.error(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${message}`)
}
const report = formatReport(await runBench({ ...length, onProgress }))
console.log(`${report}\n\n${describeMachine()}; ${pinning}.`)
if (!values.quick) {
  const date = new Date().toISOString().slice(0, 10)
  await writeFile(new URL('../../docs/reports/performance.md', import.meta.url), page(report, date))
}
// Handles that a library keeps open must not delay the exit.
process.exit()

function page(report: string, date: string): string {
  return `# Performance

Date: ${date}. Commit: ${describeCommit()}. Machine: ${describeMachine()}; ${pinning}.

\`pnpm bench\` writes this page.

Every subject serves \`convert/preview\` for random pools, directions and amounts over 32 connections. Each connection sends the
next request as soon as a response is complete. Throughput is the median of ${length.rounds} rounds of ${length.seconds} s. In each round every subject is
measured in turn while the others are suspended, after a second of load that is not counted. The sender is a separate process.
Results differ between machines, and on one machine from minute to minute: compare the ratios. p50 and p99 are measured at half
of the throughput of the subject, at a constant request rate, after a run of the same length that is not counted. They are from
the run with the median p99 of ${length.rounds} runs. The latency of a request starts when it was due.

The service runs with all features: keys, rate limits, quotas, usage, validation of inputs and outputs, request ids, headers,
metrics, and a log line in a file for each request. Its database is the embedded one. It is started by the command of
\`pnpm serve\`.

${report}
`
}
