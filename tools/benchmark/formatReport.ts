import { median } from './measure.ts'
import type { BenchLine, BenchResult } from './runBench.ts'

/** Formats the measurements as Markdown tables, with the targets and whether each is met. */
export function formatReport({ lines, memories, upstreams, pools }: BenchResult): string {
  const lineOf = (name: BenchLine['name']) => lines.find((line) => line.name === name)
  const toRow = ({ title, name, to, wanted }: Comparison) => {
    const [line, other] = [lineOf(name), lineOf(to)]
    if (!line || !other) return []
    const [throughput, processor] = [compare(line, other), compareProcessor(line, other)]
    const isMet = Math.max(throughput, processor ?? 0) >= wanted * (1 - tolerance)
    return [[title, throughput.toFixed(2), processor?.toFixed(2) ?? '', wanted.toFixed(2), isMet ? 'yes' : 'no']]
  }
  return [
    ...table(
      ['subject', 'previews per second', 'relative to Hono and zod', 'CPU µs per preview', 'p50 ms', 'p99 ms'],
      lines.map((line) => [
        line.title,
        Math.round(median(line.throughputs.map(({ perSecond }) => perSecond))).toLocaleString('en'),
        compare(line, lineOf('bareHono') as BenchLine).toFixed(2),
        processorOf(line)?.toFixed(0) ?? '',
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
      listLimits(lines, memories).map(({ title, measured, wanted, tolerance: ofLimit = tolerance }) => [
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

type Comparison = {
  readonly title: string
  readonly name: BenchLine['name']
  readonly to: BenchLine['name']
  readonly wanted: number
}

function comparisons(pools: number): readonly Comparison[] {
  return [
    {
      title: 'REST to a bare endpoint of Hono and zod with the same schema',
      name: 'rest',
      to: 'bareHono',
      wanted: 0.6,
    },
    { title: 'REST on Deno to that endpoint on Node', name: 'deno', to: 'bareHono', wanted: 0.75 },
    {
      title: 'REST to trpc-to-openapi and `readContract` on the same node',
      name: 'rest',
      to: 'libraryRead',
      wanted: 14,
    },
    { title: 'tRPC to REST', name: 'trpc', to: 'rest', wanted: 0.8 },
    { title: 'a call in a batch of ten over tRPC to REST', name: 'batch', to: 'rest', wanted: 0.8 },
    { title: `${pools} pools to 2`, name: 'many', to: 'rest', wanted: 0.95 },
    {
      title: 'REST with 1 % of the requests traced to REST without a collector',
      name: 'traced',
      to: 'rest',
      wanted: 0.95,
    },
    { title: 'a foreign pool to one of ours', name: 'family', to: 'rest', wanted: 0.8 },
    { title: 'two foreign pools in sequence to two of ours', name: 'familyTwoHops', to: 'twoHops', wanted: 0.6 },
  ]
}

type Limit = {
  readonly title: string
  readonly measured: number
  readonly wanted: number
  readonly tolerance?: number
}

function listLimits(lines: BenchResult['lines'], memories: BenchResult['memories']): readonly Limit[] {
  const p99Of = (name: BenchLine['name']) => lines.find((line) => line.name === name)?.latency.p99Ms ?? Number.NaN
  const latency = {
    title: 'p99 of REST at half load, relative to Hono and zod',
    wanted: 2,
    tolerance: latencyTolerance,
  }
  const ofMemories = memories.flatMap(({ title, limitMB, samples }): readonly Limit[] => {
    const last = samples.at(-1)
    if (!last) return []
    const half = samples[Math.floor(samples.length / 2)] ?? last
    return [
      {
        title: `MB of ${title} after ${last.previews.toLocaleString('en')} previews`,
        measured: last.residentMB,
        wanted: limitMB,
      },
      {
        title: `growth of ${title} over the last half`,
        measured: last.residentMB / half.residentMB,
        wanted: 1.02,
        tolerance: 0,
      },
    ]
  })
  return [{ ...latency, measured: p99Of('rest') / p99Of('bareHono') }, ...ofMemories]
}

/** The throughput relative to another line: the median of the ratios of each round. */
function compare(line: BenchLine, other: BenchLine): number {
  return median(
    line.throughputs.map(({ perSecond }, round) => perSecond / (other.throughputs[round]?.perSecond ?? Number.NaN)),
  )
}

/** The ratio of the processor times per preview: of the other line to this line. */
function compareProcessor(line: BenchLine, other: BenchLine): number | undefined {
  const [own, others] = [processorOf(line), processorOf(other)]
  return own === undefined || others === undefined ? undefined : others / own
}

function processorOf({ throughputs }: BenchLine): number | undefined {
  const times = throughputs.flatMap(({ processorUs }) => processorUs ?? [])
  return times.length === 0 ? undefined : median(times)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}
