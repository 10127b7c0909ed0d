// Writes docs/reference/metrics.md from the registry of metrics. Run by `pnpm generate`.
import { writeFile } from 'node:fs/promises'
import { Registry } from 'prom-client'
import { createTimings } from '../src/metrics/createTimings.ts'
import { createMetrics } from '../src/metrics/createMetrics.ts'

const rows = listMetrics().map(({ name, type, labelNames, help }) => {
  const labels = labelNames.map((label) => `\`${label}\``).join(', ')
  return `| \`${name}\` | ${type} | ${labels} | ${help.replaceAll('<', '\\<')} |`
})

const page = `<!-- Generated from packages/server/src/metrics/ by \`pnpm generate\`. Do not edit. -->

# Metrics

\`/metrics\` returns these metrics in Prometheus format.

\`\`\`sh
curl -s localhost:3000/metrics -H "X-Admin-Key: $ADMIN_KEY"
\`\`\`

The path needs an operator with the role \`read\`, and does not exist without \`ADMIN_KEY\` and \`ADMIN_KEYS\`. \`METRICS_PORT\` serves the metrics on another port without
a key: keep that port on a private network. \`operation\` is the name of a procedure, such as \`convert.preview\`.

Each process reports its own values: Prometheus reads each of them.

| Metric | Type | Labels | Meaning |
| --- | --- | --- | --- |
${rows.join('\n')}

\`/metrics\` also has the metrics of the process (\`process_*\`) and of Node (\`nodejs_*\`) that
[prom-client](https://github.com/siimon/prom-client) collects. Deno lets only a process with all permissions read \`/proc\`: there
the metrics of virtual memory and of file descriptors are absent.
`

await writeFile(new URL('../../../docs/reference/metrics.md', import.meta.url), page)

type Description = {
  readonly name: string
  readonly type: string
  readonly labelNames: readonly string[]
  readonly help: string
}

/** Lists the metrics of the service by name. The metrics of the process and of the runtime differ between machines. */
function listMetrics(): readonly Description[] {
  const registry = new Registry()
  // Only read when the metrics are rendered, which this script does not do.
  const { store, limiter } = {} as createMetrics.Dependencies
  createTimings(registry)
  createMetrics({ chains: [], store, limiter, countDroppedLines: () => 0 }, registry)
  const metrics = registry.getMetricsAsArray() as unknown as readonly Description[]
  return metrics.filter(({ name }) => name.startsWith('agio_')).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
