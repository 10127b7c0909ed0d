import { tokenAbi } from '@agio/chain/abi'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectAgio } from './connectAgio.ts'
import type { StackClient } from './createStackClient.ts'
import { startAgio, type AgioStack } from './startAgio.ts'

const chains = [84532] as const

let agio: AgioStack<84532>

beforeAll(async () => {
  agio = await startOneChain()
})

afterAll(() => agio.stop())

async function startOneChain(options: startAgio.Options<84532> = {}): Promise<AgioStack<84532>> {
  const stack = await startAgio({ chains, blockIntervalMs: 3_600_000, ...options })
  return stack
}

async function convert({ client, tokens, wallet }: StackClient<84532>): Promise<string> {
  const { tAUD, tUSD } = tokens[84532]
  const quote = await client.quote({ chainId: 84532, tokenIn: tAUD, tokenOut: tUSD, amountIn: '100' })
  return (await client.convert({ quote, wallet: await wallet({ tAUD: '1000' }) })).amountOut
}

test('a stack of one chain serves this chain alone, and its client converts with a funded wallet', async () => {
  const { chains: served } = await agio.client.api.chains.list.query()
  expect(served.map(({ chainId }) => chainId)).toEqual([84532])
  expect(Object.keys(agio.rpcUrls)).toEqual(['84532'])
  expect(await convert(agio)).toBe('65.087440')
})

test('the wallet of a stack holds what it was given, and gas', async () => {
  const wallet = await agio.wallet({ tUSD: '12.5' })
  const { address } = wallet.account
  expect(await wallet.getChainId()).toBe(84532)
  expect(await wallet.getBalance({ address })).toBe(10n ** 18n)
  await agio.fund(address, { tUSD: '1', ETH: '2' })
  expect(await wallet.getBalance({ address })).toBe(3n * 10n ** 18n)
  const read = { address: agio.tokens[84532].tUSD, abi: tokenAbi, functionName: 'balanceOf', args: [address] } as const
  expect(await wallet.readContract(read)).toBe(13_500_000n)
})

test('the scenarios of a stack of one chain affect this chain, and refuse another one', async () => {
  const { tAUD, tUSD } = agio.tokens[84532]
  const quote = () => agio.client.quote({ chainId: 84532, tokenIn: tAUD, tokenOut: tUSD, amountIn: '100' })
  await agio.scenarios.run('stale-price')
  await expect(quote()).rejects.toMatchObject({ code: 'svc/stale-price' })
  expect(await agio.scenarios.reset()).toEqual([{ chainId: 84532, blockNumber: expect.any(Number) as number }])
  await expect(quote()).resolves.toMatchObject({ amountOut: '65.087440' })
  await expect(agio.scenarios.run('mine', { chainId: 421614 })).rejects.toMatchObject({
    code: 'svc/unsupported-chain',
    message: expect.stringContaining('84532') as string,
  })
})

test('a scenario file runs its steps in order, and is refused before its first step if a later step is invalid', async () => {
  const { tAUD, tUSD } = agio.tokens[84532]
  const quote = async () =>
    (await agio.client.quote({ chainId: 84532, tokenIn: tAUD, tokenOut: tUSD, amountIn: '100' })).amountOut
  const move = { run: 'price-move', symbol: 'tAUD', percent: 100 } as const
  const seen: string[] = []
  const onStep = ({ name }: { readonly name: string }) => void seen.push(name)
  expect(await agio.scenarios.play({ steps: [{ at: '0s', ...move }] }, { onStep })).toBe(1)
  expect(await quote()).toBe('130.174880')
  const steps = [
    { at: '0s', ...move },
    { at: '20ms', run: 'reset' },
    { at: '20ms', run: 'mine' },
  ] as const
  expect(await agio.scenarios.play({ steps }, { onStep })).toBe(3)
  expect(seen).toEqual(['price-move', 'price-move', 'reset', 'mine'])
  expect(await quote()).toBe('65.087440')
  const invalid = {
    steps: [
      { at: '0s', ...move },
      { at: '1s', run: 'price-move', symbol: 'tJPY', percent: 1 },
    ],
  } as const
  await expect(agio.scenarios.play(invalid)).rejects.toThrow('steps[1] (price-move): Cannot read symbol')
  expect(await quote()).toBe('65.087440')
})

test('a scenario file ends before its next step when its signal aborts', async () => {
  const ending = new AbortController()
  const steps = [
    { at: '0s', run: 'mine' },
    { at: '24h', run: 'rpc-down' },
  ] as const
  const onStep = () => ending.abort()
  expect(await agio.scenarios.play({ steps }, { signal: ending.signal, onStep })).toBe(1)
  expect(agio.scenarios.listChains()[0]?.active).toEqual([])
})

test('another process changes a stack over HTTP like the process of the stack', async () => {
  const { url, apiKey, adminKey } = agio
  const other = connectAgio({ url, apiKey, adminKey, chains: agio.chains })
  const snapshot = await other.snapshot()
  const steps = [{ at: '0s', run: 'price-move', symbol: 'tAUD', percent: 100 }] as const
  expect(await other.scenarios.play({ steps })).toBe(1)
  expect((await other.scenarios.listChains()).flatMap(({ active }) => active)).toHaveLength(1)
  expect(await convert(other)).toBe('130.174880')
  expect(await other.scenarios.reset()).toMatchObject([{ chainId: 84532 }])
  const before = await other.time.now()
  expect((await other.time.travel('+10 minutes')).getTime()).toBeGreaterThanOrEqual(before.getTime() + 600_000)
  await other.scenarios.run('rpc-down')
  await snapshot.restore()
  expect(await convert(other)).toBe('65.087440')
  await expect(other.restore('snapshot-99')).rejects.toMatchObject({ code: 'svc/not-found' })
  await expect(other.scenarios.run('rpc-slow', { ms: -1 })).rejects.toMatchObject({
    code: 'svc/invalid-request',
    message: expect.stringContaining('it must be a whole number from 0 to 60000') as string,
  })
})

test('stacks run side by side, and a stack that stops leaves no data and frees its ports', async () => {
  const other = await startOneChain()
  expect(new Set([agio.url, other.url, agio.rpcUrls[84532], other.rpcUrls[84532]]).size).toBe(4)
  await other.scenarios.run('price-move', { symbol: 'tAUD', percent: 100 })
  expect(await convert(other)).toBe('130.174880')
  expect(await convert(agio)).toBe('65.087440')
  const play = other.scenarios.play({ steps: [{ at: '24h', run: 'mine' }] })
  await other.stop()
  expect(await play).toBe(0)
  for (const url of [other.url, other.rpcUrls[84532]]) await expect(fetch(url)).rejects.toThrow('fetch failed')
  expect(existsSync(other.localnet.deploymentsDir)).toBe(false)
})

test('a fork of another stack converts on the contracts and the prices of its origin, which it does not change', async () => {
  await agio.scenarios.run('price-move', { symbol: 'tAUD', percent: 100 })
  const { deploymentsDir: forkDeploymentsDir } = agio.localnet
  await using fork = await startOneChain({ fork: agio.rpcUrls, forkDeploymentsDir })
  await agio.scenarios.reset()
  expect(await convert(fork)).toBe('130.174880')
  await fork.scenarios.run('rpc-down')
  await fork.scenarios.reset()
  expect(await convert(agio)).toBe('65.087440')
})

test('a stack whose port is taken fails with one sentence that names it, and leaves nothing running', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await expect(startOneChain({ rpcPort: port })).rejects.toThrow(`127.0.0.1:${port}: the port is taken`)
    await expect(startOneChain({ port, localnet: agio.localnet })).rejects.toThrow(
      `Cannot serve on port ${port}: the port is taken`,
    )
  } finally {
    server.close()
  }
})

test('a stack of no chain or of an unknown chain is refused with the chains that exist', async () => {
  await expect(startAgio({ chains: [] })).rejects.toThrow('chains is empty. Name at least one of 84532 and 421614')
  await expect(startAgio({ chains: [1 as 84532] })).rejects.toThrow(
    'Cannot start chain 1: the chains are 84532 and 421614',
  )
})
