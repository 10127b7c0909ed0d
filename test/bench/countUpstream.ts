import { isHeadPoll, type Proxy } from '../stack/startProxy.ts'

/** What a node was asked while something else went on. */
export type Upstream = {
  readonly seconds: number
  /** Questions for the newest block alone. */
  readonly polls: number
  /** All others. */
  readonly reads: number
  /** The blocks at which the state was read. */
  readonly blocks: number
}

/** Counts the requests that pass a proxy during some work. */
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
