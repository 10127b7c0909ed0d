import { readUsage } from '../../test/harness/readUsage.ts'
import type { Load } from './createLoads.ts'
import type { Sender } from './sender/startSender.ts'
import type { Measured } from './startSubjects.ts'

/**
 * Measures throughput with a closed loop of requests.
 *
 * @throws `Error` if a response does not have status 200
 */
export async function measureThroughput(
  sender: Sender,
  subject: Pick<Measured, 'name' | 'url' | 'pid' | 'previewsPerRequest'>,
  { requests, ...length }: measureThroughput.Settings,
): Promise<Throughput> {
  const { name, url, previewsPerRequest } = subject
  const { result, processorUs } = await measureProcessor(subject, () =>
    sender.sendBackToBack({ url, requests, ...length }),
  )
  const { count, refused, failed, seconds } = result
  if (count === 0 || refused > 0 || failed > 0) {
    throw new Error(`Cannot measure ${name}: of ${count} requests ${refused} were refused, ${failed} failed`)
  }
  return { perSecond: (count * previewsPerRequest) / seconds, processorUs }
}

export declare namespace measureThroughput {
  type Settings = { readonly requests: Load } & ({ readonly duration: number } | { readonly amount: number })
}

export type Throughput = {
  /** Previews per second. */
  readonly perSecond: number
  /** Processor time of the process per preview, in microseconds. */
  readonly processorUs: number | undefined
}

/**
 * Runs a measurement, and returns its result with the processor time of a subject per preview, in microseconds. The time is
 * undefined without /proc.
 */
async function measureProcessor<Result extends { readonly count: number }>(
  { pid, previewsPerRequest }: Pick<Measured, 'pid' | 'previewsPerRequest'>,
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly processorUs: number | undefined }> {
  const before = await readUsage(pid)
  const result = await run()
  const after = await readUsage(pid)
  const processorMs = before && after && after.processorMs - before.processorMs
  const previews = result.count * previewsPerRequest
  return { result, processorUs: processorMs === undefined ? undefined : (processorMs * 1000) / previews }
}

/** The median of some numbers; the upper one of two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Measures latency and processor time at a constant request rate.
 *
 * @throws `Error` if a response does not have status 200
 */
export async function measureAtRate(
  sender: Sender,
  subject: Measured,
  settings: measureAtRate.Settings,
): Promise<Latency> {
  const { name, url, load: requests } = subject
  const { result, processorUs } = await measureProcessor(subject, () =>
    sender.sendAtRate({ url, requests, ...settings }),
  )
  const { count, refused, ...times } = result
  if (refused > 0) throw new Error(`Cannot measure ${name}: of ${count} requests ${refused} were refused`)
  return { perSecond: settings.perSecond, ...times, processorUs }
}

export declare namespace measureAtRate {
  type Settings = { readonly perSecond: number; readonly seconds: number }
}

export type Latency = {
  /** Requests per second. */
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of the process per preview, in microseconds. */
  readonly processorUs: number | undefined
}

/** Measures the resident memory of a process at regular intervals while it serves previews. */
export async function measureMemory(
  sender: Sender,
  subject: Measured,
  { previews, steps, onProgress }: measureMemory.Settings,
): Promise<Memory> {
  const samples: { previews: number; residentMB: number }[] = []
  const sample = async (count: number) => {
    const usage = await readUsage(subject.pid)
    if (usage) samples.push({ previews: count, residentMB: usage.residentMB })
  }
  await sample(0)
  for (let step = 1; step <= steps; step++) {
    await measureThroughput(sender, subject, {
      requests: subject.load,
      amount: Math.ceil(previews / steps / subject.previewsPerRequest),
    })
    await sample((previews / steps) * step)
    onProgress(
      `${subject.name}: memory after ${(previews / steps) * step} previews: ${samples.at(-1)?.residentMB ?? 'unknown'} MB`,
    )
  }
  return samples
}

export declare namespace measureMemory {
  type Settings = {
    readonly previews: number
    readonly steps: number
    readonly onProgress: (message: string) => void
  }
}

/** Resident megabytes by number of previews. Empty on a system without /proc. */
export type Memory = readonly { readonly previews: number; readonly residentMB: number }[]
