// Runs on vitest, in a project that has the tarballs installed: one stack, whose state each test finds as it was at first.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAgio } from '@agio/localnet'
import { test } from '@agio/localnet/vitest'
import { createAgio } from '@agio/sdk'
import { createAgioAdmin } from '@agio/sdk/admin'
import { expect } from 'vitest'

let snapshot

// The name of a vitest fixture is that of its parameter.
const it = test.extend({
  terms: async ({ agio }, use) => {
    snapshot ??= await agio.snapshot()
    await snapshot.restore()
    const { tAUD, tUSD } = agio.tokens[84532]
    await use({ chainId: 84532, tokenIn: tAUD, tokenOut: tUSD, amountIn: '100' })
  },
})

const codeOf = (promise) => promise.then(() => 'ok').catch((error) => error.code)

async function convert(agio, { terms, wallet }) {
  const quote = await agio.client.quote(terms)
  return await agio.client.convert({ quote, wallet })
}

it('a wallet converts', async ({ agio, terms }) => {
  const receipt = await convert(agio, { terms, wallet: await agio.wallet({ tAUD: '1000' }) })
  expect(receipt).toMatchObject({ status: 'success', amountIn: '100.000000' })
})

it('the pools are as before the conversion', async ({ agio, terms }) => {
  expect((await agio.client.quote(terms)).amountOut).toBe('65.087440')
})

it('a wallet without tokens cannot convert', async ({ agio, terms }) => {
  expect(await codeOf(convert(agio, { terms, wallet: await agio.wallet() }))).toMatch(/insufficient/)
})

it('a price is stale after two hours', async ({ agio, terms }) => {
  await agio.time.travel('+2 hours')
  expect(await codeOf(agio.client.quote(terms))).toBe('svc/stale-price')
})

it('a price moves, and is as before in the next test', async ({ agio, terms }) => {
  await agio.scenarios.run('price-move', { symbol: 'tAUD', percent: -10 })
  expect(Number((await agio.client.quote(terms)).amountOut)).toBeLessThan(60)
})

it('a quote says that its market is closed', async ({ agio, terms }) => {
  await agio.scenarios.run('market-closed', { symbol: 'tAUD' })
  expect(await agio.client.quote(terms)).toMatchObject({ market: 'closed' })
})

it('a used up quota is renewed in the next month', async ({ agio, terms }) => {
  const admin = createAgioAdmin({ url: agio.url, adminKey: agio.adminKey })
  const owner = { name: 'test', email: 'test@example.com', useCase: 'test', expectedVolume: 'any' }
  const limits = { requests: 100, windowSeconds: 60, burstPerSecond: 50, monthlyQuota: 1 }
  const { key: apiKey } = await admin.keys.create.mutate({ ...owner, tier: 'production', limits })
  const client = createAgio({ url: agio.url, apiKey, contracts: agio.contracts })
  expect([await codeOf(client.quote(terms)), await codeOf(client.quote(terms))]).toEqual(['ok', 'svc/quota-exceeded'])
  const now = await agio.time.now()
  await agio.time.travel(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)))
  await agio.scenarios.reset()
  expect(await codeOf(client.quote(terms))).toBe('ok')
})

it('a reorganisation undoes a conversion', async ({ agio, terms }) => {
  const { transactionHash } = await convert(agio, { terms, wallet: await agio.wallet({ tAUD: '1000' }) })
  const readReceipt = () => codeOf(agio.client.api.convert.receipt.query({ chainId: 84532, transactionHash }))
  expect(await readReceipt()).toBe('ok')
  await agio.scenarios.run('reorg', { transactionHash, outcome: 'gone' })
  expect(await readReceipt()).toBe('svc/transaction-not-found')
})

it('a fork has the pools of its origin', async ({ agio, terms }) => {
  const forkDeploymentsDir = await mkdtemp(join(tmpdir(), 'agio-fork-'))
  await writeFile(join(forkDeploymentsDir, '84532.json'), JSON.stringify(agio.contracts[84532]))
  const fork = await startAgio({ chains: [84532], fork: { 84532: agio.rpcUrls[84532] }, forkDeploymentsDir })
  try {
    expect((await fork.client.quote(terms)).amountOut).toBe('65.087440')
  } finally {
    await fork.stop()
    await rm(forkDeploymentsDir, { recursive: true })
  }
})

it('the second chain converts, too', async ({ agio, terms }) => {
  expect(terms.chainId).not.toBe(421614)
  const { tAUD: tokenIn, tUSD: tokenOut } = agio.tokens[421614]
  const quote = await agio.client.quote({ chainId: 421614, tokenIn, tokenOut, amountIn: '1' })
  const wallet = await agio.wallet({ tAUD: '10' }, { chainId: 421614 })
  expect(await agio.client.convert({ quote, wallet })).toMatchObject({ status: 'success' })
})
