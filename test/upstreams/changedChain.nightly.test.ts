import type { Localnet } from '@agio/localnet'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { setPrice } from '../harness/movePrice.ts'
import { eventually } from '../harness/timeLimits.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { startProxy, type Proxy } from '../harness/startProxy.ts'
import { startSocketProxy, type SocketProxy } from './startSocketProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'

// 100 tAUD at 0.6512 and, on the other chain, at 0.6, less the fee of 0.05 %.
const [ownAmount, otherAmount] = ['65.087440', '59.970000']

let localnet: Localnet
let proxy: Proxy
let socket: SocketProxy
beforeAll(async () => {
  // Both chains have the same contracts at the same addresses, and blocks at the same pace.
  localnet = await startTestLocalnet({ blockIntervalMs: 500 })
  const { chains } = localnet
  await setPrice(chains[421614], 'tAUD', 60_000_000n)
  proxy = await startProxy(chains[84532].rpcUrl)
  socket = await startSocketProxy(chains[84532].rpcUrl)
})
beforeEach(() => {
  for (const one of [proxy, socket]) {
    one.reset()
    one.setUpstream(localnet.chains[84532].rpcUrl)
  }
})
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await socket?.[Symbol.asyncDispose]()
  await localnet?.stop()
})

const transports = [
  { transport: 'HTTP', node: () => proxy },
  { transport: 'a WebSocket', node: () => socket },
]

describe.each(transports)('a node that begins to serve another chain behind one URL, over $transport', (subject) => {
  const { transport, node } = subject

  it(`previews and builds continue with their own chain's price when the first node over ${transport} changes its chain`, async () => {
    await using service = await serve([node().url, localnet.chains[84532].rpcUrl])
    await expect.poll(service.preview, eventually).toBe(`200 ${ownAmount}`)
    node().setUpstream(localnet.chains[421614].rpcUrl)
    const outcomes = await service.useUntil(async () => (await service.readUp())[0] === 0)
    expect(outcomes).toEqual({ previews: new Set([`200 ${ownAmount}`]), builds: new Set(['200']) })
    // The node stays unused while it serves the other chain, and is used again afterwards.
    node().setUpstream(localnet.chains[84532].rpcUrl)
    await expect.poll(service.readUp, eventually).toEqual([1, 1])
    expect(await service.preview()).toBe(`200 ${ownAmount}`)
  })

  it(`no preview has the other chain's price when a lone node over ${transport} changes its chain, and they end as 502`, async () => {
    await using service = await serve([node().url])
    await expect.poll(service.preview, eventually).toBe(`200 ${ownAmount}`)
    node().setUpstream(localnet.chains[421614].rpcUrl)
    const outcomes = await service.useUntil(async () => (await service.preview()).startsWith('502'))
    expect([...outcomes.previews].toSorted()).toEqual([`200 ${ownAmount}`, '502 svc/upstream-error'])
    node().setUpstream(localnet.chains[84532].rpcUrl)
    await expect.poll(service.preview, eventually).toBe(`200 ${ownAmount}`)
  })
})

it("a block of another chain that is notified over a WebSocket moves neither the head nor a preview's price", async () => {
  await using service = await serve([socket.url])
  await expect.poll(service.preview, eventually).toBe(`200 ${ownAmount}`)
  for (let count = 0; count < 20; count += 1) {
    socket.notify(await readBlock(localnet.chains[421614].rpcUrl))
    expect(await service.preview()).toBe(`200 ${ownAmount}`)
  }
})

it("the other chain's price differs, so that a preview of the wrong chain would show", async () => {
  await using service = await serve([localnet.chains[84532].rpcUrl])
  const { tokens } = localnet.chains[421614]
  const input = { chainId: 421614, tokenIn: tokens.tAUD, tokenOut: tokens.tUSD, amountIn: '100' }
  expect(await service.call('convert.preview', input)).toMatchObject({ data: { amountOut: otherAmount } })
})

/** Reads the newest block of a node, in the form of a notice. */
async function readBlock(rpcUrl: string): Promise<unknown> {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) })
  return ((await response.json()) as { readonly result: unknown }).result
}

/** Starts a service over the nodes of one chain. */
async function serve(nodes: readonly string[]) {
  const { url, stop } = await startTestServer(localnet, { rpcUrls: { 84532: nodes } })
  const { chainId, tokens } = localnet.chains[84532]
  const input = { chainId, tokenIn: tokens.tAUD, tokenOut: tokens.tUSD, amountIn: '100' }
  const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const [call, callTrpc] = [createRestCaller({ url, apiKey }), createTrpcCaller({ url, apiKey })]
  const preview = async (over = call) => {
    const { status, data, failure } = await over('convert.preview', input)
    return `${status} ${String(data ? data['amountOut'] : failure?.code)}`
  }
  // The minimum fits the right chain: at the other chain's price the build would be refused.
  const build = async () =>
    await call('transaction.buildConvert', { ...input, userAddress, minAmountOut: '65.054896' }).then(({ status }) =>
      String(status),
    )
  return {
    call,
    preview: async () => await preview(),
    /** Returns for each node of that chain whether it is used, by the metrics. */
    async readUp(): Promise<readonly number[]> {
      const { body } = await request(`${url}/metrics`, { headers: { 'x-admin-key': adminKey } })
      const lines = (await body.text()).matchAll(/^agio_chain_node_up\{chain="84532",node="\d"\} (\d)$/gm)
      return Array.from(lines, ([, up]) => Number(up))
    },
    /** Requests previews and builds until a condition holds, and returns their different outcomes. */
    async useUntil(isOver: () => Promise<boolean>) {
      const outcomes = { previews: new Set<string>(), builds: new Set<string>() }
      const use = async () => {
        for (const outcome of await Promise.all([preview(), preview(callTrpc)])) outcomes.previews.add(outcome)
        outcomes.builds.add(await build())
        return await isOver()
      }
      await expect.poll(use, { ...eventually, interval: 25 }).toBe(true)
      for (let count = 0; count < 20; count += 1) await use()
      return outcomes
    },
    [Symbol.asyncDispose]: stop,
  }
}
