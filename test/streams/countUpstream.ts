import { isHeadPoll, type Proxy } from '../harness/startProxy.ts'

/** The requests to a node during some work. */
export type Upstream = {
  readonly seconds: number
  /** Polls for the newest block. */
  readonly polls: number
  /** All other requests. */
  readonly reads: number
  /** The blocks at which the state was read. */
  readonly blocks: number
}

/** Counts the requests through a proxy during some work. */
export async function countUpstream<Value>(
  { requests }: Pick<Proxy, 'requests'>,
  work: () => Promise<Value>,
): Promise<Upstream & { readonly value: Value }> {
  const [first, startedMs] = [requests.length, performance.now()]
  const value = await work()
  const passed = requests.slice(first)
  const reads = passed.filter((request) => !isHeadPoll(request))
  const blocks = new Set(reads.flatMap(({ body }) => /"blockHash":"0x[0-9a-f]+"/.exec(body) ?? []))
  return {
    seconds: (performance.now() - startedMs) / 1000,
    polls: passed.length - reads.length,
    reads: reads.length,
    blocks: blocks.size,
    value,
  }
}
