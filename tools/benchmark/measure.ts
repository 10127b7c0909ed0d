import { readUsage } from '../../test/harness/readUsage.ts'
import type { Sender } from './sender/startSender.ts'
import type { Measured } from './startSubjects.ts'

export type Throughput = {
  /** Previews per second. */
  readonly perSecond: number
  /** Processor time of the process per preview, in microseconds. */
  readonly processorUs: number
}

/**
 * Measures throughput and processor time with a closed loop of requests.
 *
 * @throws `Error` if a response does not have status 200
 */
export async function measureThroughput(
  sender: Sender,
  subject: Measured,
  length: { readonly duration: number } | { readonly amount: number },
): Promise<Throughput> {
  const { name, url, pid, previewsPerRequest, load: requests } = subject
  const before = await readUsage(pid)
  const { count, refused, failed, seconds } = await sender.sendBackToBack({ url, requests, ...length })
  const after = await readUsage(pid)
  // A busy machine may answer none in this time.
  if (count + refused + failed === 0 && 'duration' in length) {
    return await measureThroughput(sender, subject, { duration: 2 * length.duration })
  }
  if (count === 0 || refused > 0 || failed > 0) {
    throw new Error(`Cannot measure ${name}: of ${count} requests ${refused} were refused, ${failed} failed`)
  }
  const previews = count * previewsPerRequest
  return { perSecond: previews / seconds, processorUs: ((after.processorMs - before.processorMs) * 1000) / previews }
}

/** The median of some numbers; the upper one of two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Measures latency at a constant request rate.
 *
 * @throws `Error` if a response does not have status 200
 */
export async function measureAtRate(
  sender: Sender,
  { name, url, load: requests }: Measured,
  rate: { readonly perSecond: number; readonly seconds: number },
): Promise<Latency> {
  const { count, refused, ...times } = await sender.sendAtRate({ url, requests, ...rate })
  if (refused > 0) throw new Error(`Cannot measure ${name}: of ${count} requests ${refused} were refused`)
  return times
}

export type Latency = { readonly p50Ms: number; readonly p99Ms: number }

/** Measures the resident memory of a process at regular intervals while it serves previews. */
export async function measureMemory(
  sender: Sender,
  subject: Measured,
  { previews, steps, onProgress }: Settings,
): Promise<Memory> {
  const samples: { previews: number; residentMB: number }[] = []
  for (let step = 0; step <= steps; step++) {
    const amount = Math.ceil(previews / steps / subject.previewsPerRequest)
    if (step > 0) await measureThroughput(sender, subject, { amount })
    const { residentMB } = await readUsage(subject.pid)
    samples.push({ previews: (previews / steps) * step, residentMB })
    onProgress(`${subject.name}: memory after ${(previews / steps) * step} previews: ${residentMB} MB`)
  }
  return samples
}

type Settings = {
  readonly previews: number
  readonly steps: number
  readonly onProgress: (message: string) => void
}

/** Resident megabytes by number of previews. */
type Memory = readonly { readonly previews: number; readonly residentMB: number }[]
