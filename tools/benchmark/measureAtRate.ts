import { measureProcessor } from './measureThroughput.ts'
import type { Sender } from './sender/startSender.ts'
import type { Measured } from './startSubjects.ts'

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
