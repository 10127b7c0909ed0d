import type { Client, Network } from '@agio/core'
import type { Hex } from 'viem'
import { onTestFinished, vi } from 'vitest'
import { toUpstreamError } from '../src/errors/toUpstreamError.ts'
import type { Head } from '../src/head/Head.ts'
import type { Doubt } from '../src/health/createDoubts.ts'
import type { NodeReport } from '../src/health/UpstreamNode.ts'
import type { ProvenRead } from '../src/proof/ProvenRead.ts'
import { createRpc, type Rpc } from '../src/selection/createRpc.ts'
import type { FakeNode } from './createFakeNode.ts'

const chainId: Network.ChainId = 84532

/** Connects to fake nodes, in order of preference, on a fake clock that stops until the test moves it. */
export function connectFakeNodes(
  nodes: readonly FakeNode[],
  findHead: () => Head | undefined = () => undefined,
  settings: Partial<Pick<createRpc.Options, 'mayBeOtherChain' | 'createProbe'>> = {},
) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  // viem shares batches by URL, also with those that an earlier test left pending.
  const urls = nodes.map((_, index) => `http://node-${index}.${crypto.randomUUID()}.test/`)
  const reports: NodeReport[] = []
  const doubts: Doubt[] = []
  const rpc = createRpc({
    chainId,
    urls,
    fetch: async (url, init) => await (nodes[urls.indexOf(url as string)] as FakeNode).respond(init),
    findHead,
    mayBeOtherChain: () => false,
    isLinked: () => true,
    doubts: { add: (doubt) => void doubts.push(doubt) },
    onState: (report) => void reports.push(report),
    random: () => 0,
    ...settings,
  })
  onTestFinished(() => {
    for (const node of rpc.nodes) node.stop()
    vi.useRealTimers()
  })
  const read = async ({ client }: Pick<Rpc, 'client'> = rpc) =>
    await client.request({ method: 'eth_getTransactionCount', params: [account, 'latest'] })
  return {
    /** The changes of the nodes' states, in order. */
    reports,
    rpc,
    /** The doubtful answers of the nodes, in order. */
    doubts,
    /** The outcome of a read. */
    run: runToEnd,
    states: () => rpc.nodes.map((node) => node.state()),
    stop: () => rpc.nodes.forEach((node) => node.stop()),
    resetCircuits: () => rpc.nodes.forEach((node) => node.resetCircuit()),
    /** The outcome of a read that no node answers from memory, and how long it took in milliseconds. */
    read: async () => await runToEnd(read()),
    /** The same for a client. */
    readFor: async (client: Client.Client) => await runToEnd(read(rpc.forClient(client))),
    /** The outcome of a read that proves its chain. */
    readProven: async <Value>(provenRead: ProvenRead<Value>) => await runToEnd(rpc.read(provenRead)),
    /** The outcome of a read of the newest block. */
    readHead: async () => await runToEnd(rpc.readHead()),
    /** The outcomes of concurrent reads. */
    readMany: async (count: number) =>
      await runToEnd(Promise.all(Array.from({ length: count }, () => toOutcome(read())))),
    /** The outcome of sending a transaction. */
    send: async (signed: { readonly serialized: Hex; readonly hash: Hex }) => await runToEnd(rpc.send(signed)),
    elapse,
  }
}

const account = '0x00000000000000000000000000000000000000a1'

/** Moves the clock in steps while timers are pending, so that responses arrive in between. */
async function elapse(ms: number): Promise<void> {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs) {
    const leftMs = untilMs - performance.now()
    await vi.advanceTimersByTimeAsync(vi.getTimerCount() > 0 ? Math.min(10, leftMs) : leftMs)
    await flush()
  }
}

/** Moves the clock until a promise is fulfilled or rejected. */
async function runToEnd<Result>(pending: Promise<Result>) {
  const startedAtMs = performance.now()
  const progress = { isSettled: false }
  const outcome = toOutcome(pending).finally(() => (progress.isSettled = true))
  await flush()
  while (!progress.isSettled) {
    await vi.advanceTimersToNextTimerAsync()
    await flush()
  }
  return { ...(await outcome), tookMs: Math.round(performance.now() - startedAtMs) }
}

async function toOutcome<Result>(pending: Promise<Result>): Promise<Outcome<Result>> {
  return await pending.then(
    (result) => ({ code: 'ok', message: '', result }),
    (error: unknown) => {
      const { code, message } = toUpstreamError(error)
      return { code, message }
    },
  )
}

type Outcome<Result> = { readonly code: string; readonly message: string; readonly result?: Result }

// Bodies are read in real time: this lets all that is due happen.
async function flush(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
