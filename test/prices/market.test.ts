import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'

const transports = ['REST', 'tRPC'] as const
const chainId = 84532

describe.each(partOf(transports))('market hours on the local stack (%s)', (transport) => {
  const stack = setUp(startAgio)

  afterEach(() => stack.scenarios.reset())

  const call: AgioStack['callers']['REST'] = (...args) => stack.callers[transport](...args)
  const pairOf = (symbol: string) => {
    const { tokens } = stack.localnet.chains[chainId]
    return { chainId, tokenIn: tokens[symbol as 'tEUR'], tokenOut: tokens['tUSD'], amountIn: '10' }
  }
  const readNow = async () => Number((await connectOwner(stack.localnet.chains[chainId]).client.getBlock()).timestamp)

  /** Closes the market until midnight after the day that follows the latest block, and returns when it opens. */
  async function closeMarket(): Promise<string> {
    const day = Math.floor((await readNow()) / 86_400)
    await stack.scenarios.run('market-closed')
    return new Date((day + 2) * 86_400_000).toISOString()
  }

  it('a market of the local stack is open and does not close, and the pair without hours counts as open', async () => {
    const { data } = await call('market.hours', { chainId })
    const { pools } = stack.localnet.chains[chainId]
    const open = { isOpen: true, nextOpen: null, nextClose: null }
    expect(data?.['pairs']).toEqual([
      { name: 'tAUD/tUSD', poolAddress: pools['tAUD/tUSD'], hasHours: false, ...open },
      { name: 'tEUR/tUSD', poolAddress: pools['tEUR/tUSD'], hasHours: true, ...open },
    ])
  })

  it('a closed market refuses nothing, and is open again after a reset', async () => {
    const opensAt = await closeMarket()
    for (const operation of ['convert.preview', 'convert.quote']) {
      expect(await call(operation, pairOf('tEUR'))).toMatchObject({ status: 200, data: { market: 'closed' } })
      expect((await call(operation, pairOf('tAUD'))).data).not.toHaveProperty('market')
    }
    expect((await call('market.hours', { chainId })).data?.['pairs']).toMatchObject([
      { isOpen: true },
      { name: 'tEUR/tUSD', isOpen: false, nextOpen: opensAt, nextClose: expect.stringMatching(/T00:00:00/) as string },
    ])
    await stack.scenarios.reset()
    for (const operation of ['convert.preview', 'convert.quote']) {
      expect(await call(operation, pairOf('tEUR'))).toMatchObject({ data: { market: 'open' } })
    }
  })

  it('a conversion over two pools is in a closed market if one of them is', async () => {
    await stack.scenarios.run('market-closed')
    const { tEUR, tAUD } = stack.localnet.chains[chainId].tokens
    const cross = { chainId, tokenIn: tAUD, tokenOut: tEUR, amountIn: '10' }
    expect(await call('convert.preview', cross)).toMatchObject({ data: { market: 'closed' } })
  })

  it('error: a stale price is svc/stale-price, with the time of the opening while its market is closed', async () => {
    await stack.scenarios.run('stale-price', { symbol: 'tEUR' })
    const open = await call('convert.preview', pairOf('tEUR'))
    expect(open).toMatchObject({ status: 422, failure: { code: 'svc/stale-price' } })
    expect(open.failure).not.toHaveProperty('opensAt')
    const opensAt = await closeMarket()
    const { failure } = await call('convert.preview', pairOf('tEUR'))
    const retryAfterSeconds = Date.parse(opensAt) / 1000 - (await readNow())
    expect(failure).toMatchObject({ code: 'svc/stale-price', opensAt, retryAfterSeconds })
  })

  it('a named token without hours gets a closed market, and the other keeps its own', async () => {
    await stack.scenarios.run('market-closed', { symbol: 'tAUD' })
    expect(await call('convert.preview', pairOf('tAUD'))).toMatchObject({ data: { market: 'closed' } })
    expect(await call('convert.preview', pairOf('tEUR'))).toMatchObject({ data: { market: 'open' } })
  })
})

describe('a market that closes soon', () => {
  const heartbeatSeconds = 3_600
  let stack: AgioStack
  let closesAtMs: number

  beforeAll(async () => {
    stack = await startAgio({
      prepare: async ({ deploymentsDir, chains }) => {
        const path = join(deploymentsDir, `${chainId}.json`)
        const deployment = JSON.parse(await readFile(path, 'utf8')) as object
        // A whole minute, between eight and nine minutes from now: the start of the stack and both tests take less.
        closesAtMs = Math.ceil(Date.now() / 60_000 + 8) * 60_000
        const feeds = { [chains[chainId].oracles.tEUR]: { heartbeatSeconds, schedule: closeAt(new Date(closesAtMs)) } }
        await writeFile(path, JSON.stringify({ ...deployment, feeds }))
        return {}
      },
    })
  })

  afterAll(() => stack?.[Symbol.asyncDispose]())

  it('a quote that would outlive the close expires at it, and a shorter one when it says', async () => {
    const { tEUR, tUSD } = stack.localnet.chains[chainId].tokens
    const quote = async (validForSeconds: number) => {
      const request = { chainId, tokenIn: tEUR, tokenOut: tUSD, amountIn: '10', validForSeconds }
      return (await stack.callers.REST('convert.quote', request)).data
    }
    expect(await quote(600)).toMatchObject({ market: 'open', expiresAt: new Date(closesAtMs).toISOString() })
    expect(Date.parse(String((await quote(10))?.['expiresAt']))).toBeLessThan(closesAtMs)
  })

  it('market.hours has the close, and oracle.prices the heartbeat that the deployment declares', async () => {
    const { data } = await stack.callers.REST('market.hours', { chainId })
    expect(data?.['pairs']).toMatchObject([{}, { isOpen: true, nextClose: new Date(closesAtMs).toISOString() }])
    const prices = await stack.callers.REST('oracle.prices', { chainId })
    expect(prices.data?.['prices']).toMatchObject({ tEUR: { heartbeatSeconds } })
    expect((prices.data?.['prices'] as { tAUD: object }).tAUD).not.toHaveProperty('heartbeatSeconds')
  })

  /** A week in UTC that is open but from a time to the end of its day. */
  function closeAt(time: Date): string {
    const closing = (time.getUTCDay() + 6) % 7
    const text = `${time.getUTCHours()}`.padStart(2, '0') + `${time.getUTCMinutes()}`.padStart(2, '0')
    // At midnight the whole day that begins is closed.
    const session = text === '0000' ? 'C' : `0000-${text}`
    return `UTC;${Array.from({ length: 7 }, (_, day) => (day === closing ? session : 'O')).join(',')}`
  }
})
