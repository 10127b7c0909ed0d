import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { compressed } from '../harness/answers.ts'
import { adminKey, apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTcpProxy } from '../harness/startTcpProxy.ts'
import { anyAccount, countReads, useUpstreams } from './startUpstreams.ts'
import { eventually } from '../harness/timeLimits.ts'

const upstreams = useUpstreams()

describe.each(['Node', 'Deno'] as const)('a service on %s', (runtime) => {
  it(`a service on ${runtime} fails over and back, and reports it in its log and metrics by variable and position`, async () => {
    const { first, second } = upstreams
    await using server = await start(runtime, [first.url, second.url])
    const { readNonce, readUp, find } = server
    expect(await readNonce()).toBe('200 undefined')
    expect(await readUp()).toEqual([1, 1])
    await first.close()
    await expect.poll(async () => (await readNonce(), readUp()), eventually).toEqual([0, 1])
    expect(await readNonce()).toBe('200 undefined')
    expect(await find('node is unavailable: its circuit is open until a probe succeeds')).toMatchObject({
      level: 40,
      variable: 'RPC_URL_84532',
      position: 1,
      code: 'svc/upstream-unavailable',
    })
    await first.reopen()
    expect(await find('node is healthy again')).toMatchObject({ level: 30, variable: 'RPC_URL_84532', position: 1 })
    expect(await readUp()).toEqual([1, 1])
    const reads = countReads(first)
    expect(await readNonce()).toBe('200 undefined')
    expect(countReads(first)).toBe(reads + 1)
    server.expectNoUrl()
  })

  it(`a service on ${runtime} uses its second node while the first one answers with 100 MB in 100 kB`, async () => {
    const { first, second } = upstreams
    await using server = await start(runtime, [first.url, second.url])
    first.setAnswer(compressed(gzipSync(`"${'0'.repeat(100 * 2 ** 20)}"`)))
    for (let read = 0; read < 10; read += 1) expect(await server.readNonce()).toBe('200 undefined')
    await expect.poll(() => server.readUp(), eventually).toEqual([0, 1])
    first.reset()
    await expect.poll(() => server.readUp(), eventually).toEqual([1, 1])
  })

  it(`a service on ${runtime} logs a node of another chain at the start, and answers 502 if it has no other`, async () => {
    const { first } = upstreams
    first.setUpstream(upstreams.localnet.chains[421614].rpcUrl)
    await using server = await start(runtime, [first.url])
    expect(await server.find('node serves another chain')).toMatchObject({
      level: 50,
      variable: 'RPC_URL_84532',
      position: 1,
      chainId: 84_532,
      servedChainId: 421_614,
    })
    expect(await server.readNonce()).toBe('502 svc/upstream-error')
    expect(await server.readUp()).toEqual([0])
    server.expectNoUrl()
  })

  it(`a service on ${runtime} can stop while its WebSocket is open, stalled or cut`, async () => {
    await using wire = await startTcpProxy(upstreams.chain.rpcUrl)
    for (const fault of [async () => {}, async () => wire.stall(), () => wire.cut()]) {
      await using server = await start(runtime, [wire.url.replace(/^http/, 'ws')])
      await expect.poll(() => server.readNonce(), eventually).toBe('200 undefined')
      await fault()
      // The fault lasts until the process has stopped.
      await server.stop()
      await wire.restore()
      expect(server.lines.join('\n')).not.toMatch(/"level":[56]0|^(?!\{).*error/im)
    }
  })
})

/** Starts a service over the nodes of one chain, as a child process. */
async function start(runtime: 'Node' | 'Deno', nodes: readonly string[]) {
  const { localnet } = upstreams
  const rpcUrls = { 84532: nodes }
  const server = await startServerProcess(settingsFor(localnet, { rpcUrls, logLevel: 'info' }), runtime)
  const call = createRestCaller({ url: server.url, apiKey })
  return {
    ...server,
    call,
    /** Returns the status and the code of a read. */
    async readNonce(): Promise<string> {
      const { status, failure } = await call('transaction.nonce', { address: anyAccount })
      return `${status} ${String(failure?.code)}`
    },
    /** Returns for each node of that chain whether it is used, by the metrics. */
    async readUp(): Promise<readonly number[]> {
      const { body } = await request(`${server.url}/metrics`, { headers: { 'x-admin-key': adminKey } })
      const lines = (await body.text()).matchAll(/^agio_chain_node_up\{chain="84532",node="(\d)"\} (\d)$/gm)
      return [...lines].toSorted(([, one], [, other]) => Number(one) - Number(other)).map(([, , up]) => Number(up))
    },
    /** Returns the log line with a message. */
    async find(message: string): Promise<unknown> {
      const isIt = (line: string) => line.includes(`"msg":"${message}"`)
      await expect.poll(() => server.lines.some(isIt), eventually).toBe(true)
      return JSON.parse(server.lines.find(isIt) ?? '')
    },
    expectNoUrl(): void {
      for (const node of nodes) expect(server.lines.join('\n')).not.toContain(new URL(node).host)
    },
  }
}
