import { median } from './measureThroughput.ts'
import type { BenchLine, BenchResult } from './runBench.ts'

/** Formats the measurements as Markdown tables. */
export function formatReport({ lines, memories, upstream, pools }: BenchResult): string {
  const lineOf = (name: BenchLine['name']) => lines.find((line) => line.name === name) as BenchLine
  const ratio = (name: BenchLine['name'], other: BenchLine['name']) => compare(lineOf(name), lineOf(other))
  const upstreamText = `${upstream.reads} state reads at ${upstream.blocks} blocks, and ${(upstream.polls / upstream.seconds).toFixed(1)} polls per second for the newest block`
  return [
    ...table(
      ['subject', 'previews per second', 'relative to Hono and zod', 'CPU µs per preview', 'p50 ms', 'p99 ms'],
      lines.map((line) => [
        line.title,
        Math.round(median(line.throughputs.map(({ perSecond }) => perSecond))).toLocaleString('en'),
        compare(line, lineOf('bareHono')).toFixed(2),
        processorOf(line),
        line.latency.p50Ms.toFixed(2),
        line.latency.p99Ms.toFixed(2),
      ]),
    ),
    '',
    ...table(
      ['comparison', 'ratio'],
      [
        [
          'throughput relative to a bare endpoint of Hono and zod with the same schema',
          ratio('rest', 'bareHono').toFixed(2),
        ],
        [
          'throughput relative to trpc-to-openapi and `readContract` on the same node',
          ratio('rest', 'libraryRead').toFixed(1),
        ],
        ['throughput of tRPC relative to REST', ratio('trpc', 'rest').toFixed(2)],
        ['throughput on Deno relative to Node', ratio('deno', 'rest').toFixed(2)],
        [`cost of a preview with ${pools} pools relative to 2 pools`, ratio('rest', 'many').toFixed(2)],
      ],
    ),
    '',
    `Requests to the node at full load, within ${upstream.seconds.toFixed(1)} s: ${upstreamText}.`,
    '',
    ...table(
      ['resident memory after previews', 'MB'],
      memories.flatMap(({ title, samples }) =>
        samples.map(({ previews, residentMB }) => [`${title}, ${previews.toLocaleString('en')}`, String(residentMB)]),
      ),
    ),
  ].join('\n')
}

/** The throughput relative to another line: the median of the ratios of each round. */
function compare(line: BenchLine, other: BenchLine): number {
  return median(
    line.throughputs.map(({ perSecond }, round) => perSecond / (other.throughputs[round]?.perSecond ?? Number.NaN)),
  )
}

function processorOf({ throughputs }: BenchLine): string {
  const times = throughputs.flatMap(({ processorUs }) => processorUs ?? [])
  return times.length === 0 ? '' : median(times).toFixed(0)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}
