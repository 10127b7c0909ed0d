import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { breakOff } from '../stack/answers.ts'
import { startTcpProxy, type TcpProxy } from '../stack/startTcpProxy.ts'
import { signTransfer } from './signTransfer.ts'
import { codeOf, countReads, startUpstreams, type Upstreams } from './startUpstreams.ts'

const soon = { timeout: 15_000, interval: 20 }

const wrong = { position: 1, state: 'wrong-chain', code: 'svc/upstream-error', servedChainId: 421_614 }
const sentence = 'Cannot read the chain: its node serves chain 421614, not chain 84532'

let upstreams: Upstreams
let otherUrl: string
/** Over a WebSocket. */
let wire: TcpProxy
let wireUrl: string
beforeAll(async () => {
  upstreams = await startUpstreams()
  otherUrl = upstreams.localnet.chains[421614].rpcUrl
  wire = await startTcpProxy(upstreams.chain.rpcUrl)
  wireUrl = wire.url.replace(/^http/, 'ws')
})
beforeEach(async () => {
  await upstreams.reset()
  wire.setTarget(upstreams.chain.rpcUrl)
  await wire.restore()
})
afterAll(async () => {
  await wire?.[Symbol.asyncDispose]()
  await upstreams?.[Symbol.asyncDispose]()
})

describe('a node of another chain at the start', () => {
  it('is told of before anybody asks, each of them', async () => {
    const { first, second, open } = upstreams
    second.setUpstream(otherUrl)
    const { reports } = open([first.url, second.url])
    await expect.poll(() => reports, soon).toMatchObject([{ ...wrong, position: 2 }])
  })

  it('answers nothing: the next one does, from the very first call on', async () => {
    const { first, second, open } = upstreams
    first.setUpstream(otherUrl)
    const chain = open()
    const others = countReads(second)
    await chain.read()
    expect(countReads(second)).toBe(others + 1)
    expect(chain.reports).toMatchObject([wrong])
    const asked = first.requests.length
    for (let count = 0; count < 5; count += 1) await chain.read()
    expect(first.requests.length).toBe(asked)
  })

  it('and no other one: svc/upstream-error, which names both chains', async () => {
    const { first, open } = upstreams
    first.setUpstream(otherUrl)
    const chain = open([first.url])
    await expect(chain.read()).rejects.toMatchObject({ code: 'svc/upstream-error', message: sentence })
    const asked = first.requests.length
    await expect(chain.read()).rejects.toMatchObject({ code: 'svc/upstream-error', message: sentence })
    expect(first.requests.length).toBe(asked)
  })

  it('is asked again some seconds later, and used once it serves the right one', async () => {
    const { first, open } = upstreams
    first.setUpstream(otherUrl)
    const chain = open([first.url])
    expect(await codeOf(chain.read())).toBe('svc/upstream-error')
    first.setUpstream(upstreams.chain.rpcUrl)
    await expect.poll(() => codeOf(chain.read()), soon).toBe('ok')
    expect(chain.reports).toMatchObject([wrong, { position: 1, state: 'healthy' }])
  })

  it('is used at once if its faults are forgotten and it serves the right one', async () => {
    const { first, open } = upstreams
    first.setUpstream(otherUrl)
    const chain = open([first.url])
    expect(await codeOf(chain.read())).toBe('svc/upstream-error')
    first.setUpstream(upstreams.chain.rpcUrl)
    chain.resetCircuits()
    expect(await codeOf(chain.read())).toBe('ok')
  })

  it('is handed no transaction', async () => {
    const { first, open } = upstreams
    first.setUpstream(otherUrl)
    const chain = open([first.url])
    const { signed } = await signTransfer(upstreams.chain)
    const asked = first.requests.length
    await expect(chain.send(await chain.decodeSigned(signed))).rejects.toMatchObject({ message: sentence })
    expect(first.requests.slice(asked).some(({ body }) => body.includes('eth_sendRawTransaction'))).toBe(false)
  })
})

describe('a node that comes back as one of another chain', () => {
  it('over HTTP, after an outage, is not used', async () => {
    const { first, open } = upstreams
    const chain = open([first.url])
    await chain.read()
    first.setAnswer(breakOff)
    await expect
      .poll(async () => (await codeOf(chain.read()), chain.listNodes()), soon)
      .toEqual([{ position: 1, state: 'unavailable' }])
    first.setUpstream(otherUrl)
    first.reset()
    await expect.poll(() => chain.listNodes(), soon).toEqual([{ position: 1, state: 'wrong-chain' }])
    await expect(chain.read()).rejects.toMatchObject({ message: sentence })
  })

  it('over HTTP, after a single fault, is not believed either', async () => {
    const { first, second, open } = upstreams
    const chain = open()
    await chain.read()
    first.setAnswer(breakOff)
    await chain.read()
    first.setUpstream(otherUrl)
    first.reset()
    const others = countReads(second)
    await chain.read()
    expect(countReads(second)).toBe(others + 1)
    expect(chain.reports).toMatchObject([wrong])
  })

  it('over a new WebSocket is not used, by callers or for its blocks', async () => {
    const chain = upstreams.open([wireUrl])
    await chain.read()
    const known = (await chain.getSnapshot()).block.number
    wire.setTarget(otherUrl)
    await wire.cut()
    await wire.restore()
    await expect.poll(() => chain.listNodes(), soon).toEqual([{ position: 1, state: 'wrong-chain' }])
    await expect(chain.read()).rejects.toMatchObject({ message: sentence })
    await expect.poll(() => wire.countConnections(), soon).toBe(0)
    expect(chain.headState().head?.number).toBe(known)

    wire.setTarget(upstreams.chain.rpcUrl)
    await expect.poll(() => codeOf(chain.read()), soon).toBe('ok')
  })
})
