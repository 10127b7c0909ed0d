import { createChain, type Chain, type NodeReport } from '@agio/chain'
import type { LocalChain, Localnet } from '@agio/localnet'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { startProxy, type Proxy } from '../harness/startProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startSocketProxy, type SocketProxy } from './startSocketProxy.ts'

/** The account whose nonces are read. */
export const anyAccount = '0x00000000000000000000000000000000000000a1'

/**
 * Starts, for the tests of a file, two local chains that mine with transactions only, and two HTTP proxies and a WebSocket proxy
 * in front of the node of one of them. Before each test, all proxies forward everything to that node.
 */
export function useUpstreams(): Upstreams {
  const upstreams: Partial<Upstreams> = {}
  beforeAll(async () => void Object.assign(upstreams, await startUpstreams()))
  beforeEach(() => upstreams.reset?.())
  afterAll(() => upstreams[Symbol.asyncDispose]?.())
  return upstreams as Upstreams
}

async function startUpstreams(): Promise<Upstreams> {
  await using starting = new AsyncDisposableStack()
  const localnet = starting.use(await startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 }))
  const chain = localnet.chains[84532]
  const first = starting.use(await startProxy(chain.rpcUrl))
  const second = starting.use(await startProxy(chain.rpcUrl))
  const socket = starting.use(await startSocketProxy(chain.rpcUrl))
  const running = starting.move()
  return {
    localnet,
    chain,
    first,
    second,
    socket,
    open(urls = [first.url, second.url], settings = {}) {
      const reports: NodeReport[] = []
      const onNode = (report: NodeReport) => void reports.push(report)
      // No read is compared by chance: nodes whose chains a test has changed would disagree about a state.
      const random = () => 1
      const opened = createChain({ deployment: chain.deployment, urls, onNode, random, ...settings })
      onTestFinished(opened.stop)
      return { ...opened, reports, read: () => opened.transactions.readNonces(anyAccount) }
    },
    answerCalls: (node, answer) => node.setAnswer(answerEachCall(chain.rpcUrl, answer)),
    async reset() {
      for (const proxy of [first, second]) {
        proxy.reset()
        proxy.setUpstream(chain.rpcUrl)
        await proxy.reopen()
      }
      socket.reset()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type Upstreams = AsyncDisposable & {
  readonly localnet: Localnet
  readonly chain: LocalChain
  /** In front of the preferred node. */
  readonly first: Proxy
  readonly second: Proxy
  /** In front of the same node, over WebSockets. */
  readonly socket: SocketProxy
  /** Opens the chain over both, or over other URLs, until the test ends. */
  open(urls?: readonly string[], settings?: Partial<createChain.Options>): OpenedChain
  /** Makes a proxy answer each call of a request by a function, which can forward the call to the chain's own node. */
  answerCalls(node: Proxy, answer: Parameters<typeof answerEachCall>[1]): void
  /** Makes all proxies forward everything to the chain's own node. */
  reset(): Promise<void>
}

export type OpenedChain = Chain & {
  /** The changes of its nodes' states, in order. */
  readonly reports: readonly NodeReport[]
  /** Reads state that is never answered from memory, in one request. */
  read(): Promise<unknown>
}

/** How many requests `read` has sent through a proxy. */
export function countReads({ requests }: Proxy): number {
  return requests.filter(({ calls }) => calls.some(({ method }) => method === 'eth_getTransactionCount')).length
}

/** Returns the error code of a call, `ok` for a success. */
export async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'ok',
    (error: unknown) => (error as { readonly code?: unknown }).code,
  )
}
