import autocannon from 'autocannon'
import { keepAwake } from './keepAwake.ts'
import type { Load } from './Load.ts'
import { readUsage } from './readUsage.ts'
import type { Subject } from './startSubject.ts'

const connections = 32

/**
 * Sends previews as fast as they are answered, over 32 connections.
 *
 * @throws `Error` if one of them was not answered with 200
 */
export async function measureThroughput(
  { name, url, pid }: Pick<Subject, 'name' | 'url' | 'pid'>,
  { requests, ...length }: measureThroughput.Settings,
): Promise<Throughput> {
  const before = await readUsage(pid)
  const result = await keepAwake(() => autocannon({ url, connections, requests: [...requests], ...length }))
  const after = await readUsage(pid)
  const { total } = result.requests
  if (total === 0 || result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `Cannot measure ${name}: of ${total} requests ${result.non2xx} were refused, ${result.errors} failed`,
    )
  }
  const processorMs = before && after && after.processorMs - before.processorMs
  return {
    perSecond: total / result.duration,
    processorUs: processorMs === undefined ? undefined : (processorMs * 1000) / total,
    requests: total,
  }
}

export declare namespace measureThroughput {
  type Settings = { readonly requests: Load } & ({ readonly duration: number } | { readonly amount: number })
}

export type Throughput = {
  readonly perSecond: number
  /** Processor time of the process for each request, in microseconds. */
  readonly processorUs: number | undefined
  readonly requests: number
}
