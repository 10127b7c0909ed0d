import { median } from './measure.ts'
import type { BenchLine, BenchResult } from './runBench.ts'

/** Formats the measurements as Markdown tables, with the targets and whether each is met. */
export function formatReport({ lines, memories, upstreams, pools }: BenchResult): string {
  const lineOf = (name: BenchLine['name']) => lines.find((line) => line.name === name)
  const toRow = ([title, name, to, wanted]: Comparison) => {
    const [line, other] = [lineOf(name), lineOf(to)]
    if (!line || !other) return []
    const [throughput, processor] = [compare(line, other), processorOf(other) / processorOf(line)]
    const isMet = Math.max(throughput, processor) >= wanted * (1 - tolerance)
    return [[title, throughput.toFixed(2), processor.toFixed(2), wanted.toFixed(2), isMet ? 'yes' : 'no']]
  }
  return [
    ...table(
      ['subject', 'previews per second', 'relative to Hono and zod', 'CPU µs per preview', 'p50 ms', 'p99 ms'],
      lines.map((line) => [
        line.title,
        Math.round(median(line.throughputs.map(({ perSecond }) => perSecond))).toLocaleString('en'),
        compare(line, lineOf('bareHono') as BenchLine).toFixed(2),
        processorOf(line).toFixed(0),
        line.latency.p50Ms.toFixed(2),
        line.latency.p99Ms.toFixed(2),
      ]),
    ),
    '',
    'Each ratio is of previews per second, and of processor time per preview: larger is better, and 2 is twice as good. A target',
    'is met if one of the two meets it, since the wall clock of a shared machine counts the work of others. Each target has a',
    `tolerance of ${tolerance * 100} %. The latency has ${latencyTolerance * 100} %, and the growth none.`,
    '',
    ...table(['comparison', 'throughput', 'processor time', 'wanted', 'met'], comparisons(pools).flatMap(toRow)),
    '',
    ...table(
      ['limit', 'measured', 'wanted', 'met'],
      listLimits(lines, memories).map(([title, measured, wanted, ofLimit]) => [
        title,
        measured.toFixed(wanted < 10 ? 2 : 0),
        `at most ${wanted}`,
        measured <= wanted * (1 + ofLimit) ? 'yes' : 'no',
      ]),
    ),
    '',
    ...lines.flatMap(({ name, title }) => {
      const upstream = upstreams.get(name)
      if (!upstream || upstream.polls === 0) return []
      const { reads, blocks, polls, seconds } = upstream
      const perSecond = (polls / seconds).toFixed(1)
      return [
        `Requests to the node at full load, within ${seconds.toFixed(1)} s, of ${title}: ${reads} state reads at ${blocks} blocks, and ${perSecond} polls per second for the newest block.`,
      ]
    }),
    '',
    ...table(
      ['resident memory after previews', 'MB'],
      memories.flatMap(({ title, samples }) =>
        samples.map(({ previews, residentMB }) => [`${title}, ${previews.toLocaleString('en')}`, String(residentMB)]),
      ),
    ),
  ].join('\n')
}

/** The part of a target by which a measurement may miss it. */
const tolerance = 0.05
const latencyTolerance = 0.1

/** The subjects that are compared, and the ratio that is wanted. */
type Comparison = readonly [title: string, name: BenchLine['name'], to: BenchLine['name'], wanted: number]

function comparisons(pools: number): readonly Comparison[] {
  return [
    ['REST to a bare endpoint of Hono and zod with the same schema', 'rest', 'bareHono', 0.6],
    ['REST on Deno to that endpoint on Node', 'deno', 'bareHono', 0.75],
    ['REST to trpc-to-openapi and `readContract` on the same node', 'rest', 'libraryRead', 14],
    ['tRPC to REST', 'trpc', 'rest', 0.8],
    ['a call in a batch of ten over tRPC to REST', 'batch', 'rest', 0.8],
    [`${pools} pools to 2`, 'many', 'rest', 0.95],
    ['REST with 1 % of the requests traced to REST without a collector', 'traced', 'rest', 0.95],
    ['a foreign pool to one of ours', 'family', 'rest', 0.8],
    ['two foreign pools in sequence to two of ours', 'familyTwoHops', 'twoHops', 0.6],
  ]
}

/** What is measured, the most that is wanted, and the part by which it may be more. */
type Limit = readonly [title: string, measured: number, wanted: number, tolerance: number]

function listLimits(lines: BenchResult['lines'], memories: BenchResult['memories']): readonly Limit[] {
  const p99Of = (name: BenchLine['name']) => lines.find((line) => line.name === name)?.latency.p99Ms ?? Number.NaN
  const ofMemories = memories.flatMap(({ title, limitMB, samples }): readonly Limit[] => {
    const last = samples.at(-1)
    if (!last) return []
    const half = samples[Math.floor(samples.length / 2)] ?? last
    return [
      [`MB of ${title} after ${last.previews.toLocaleString('en')} previews`, last.residentMB, limitMB, tolerance],
      [`growth of ${title} over the last half`, last.residentMB / half.residentMB, 1.02, 0],
    ]
  })
  const p99Ratio = p99Of('rest') / p99Of('bareHono')
  return [['p99 of REST at half load, relative to Hono and zod', p99Ratio, 2, latencyTolerance], ...ofMemories]
}

/** The throughput relative to another line: the median of the ratios of each round. */
function compare(line: BenchLine, other: BenchLine): number {
  return median(
    line.throughputs.map(({ perSecond }, round) => perSecond / (other.throughputs[round]?.perSecond ?? Number.NaN)),
  )
}

function processorOf({ throughputs }: BenchLine): number {
  return median(throughputs.map(({ processorUs }) => processorUs))
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}
