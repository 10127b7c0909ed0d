import type { Load } from './Load.ts'
import { measureProcessor } from './readUsage.ts'
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

/** The median of some numbers; the upper one of two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
