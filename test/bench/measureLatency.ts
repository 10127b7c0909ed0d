import type { Load } from './Load.ts'
import type { Sender } from './sender/startSender.ts'
import type { Subject } from './startSubject.ts'

/**
 * Measures latency at a constant request rate.
 *
 * @throws `Error` if a response does not have status 200
 */
export async function measureLatency(
  sender: Sender,
  { name, url }: Pick<Subject, 'name' | 'url'>,
  { requests, perSecond, seconds }: measureLatency.Settings,
): Promise<Latency> {
  const { refused, count, ...times } = await sender.sendAtRate({ url, requests, perSecond, seconds })
  if (refused > 0) throw new Error(`Cannot measure ${name}: of ${count} requests ${refused} were refused`)
  return { perSecond, ...times }
}

export declare namespace measureLatency {
  type Settings = { readonly requests: Load; readonly perSecond: number; readonly seconds: number }
}

export type Latency = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }
