import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { connectAgent } from './connectAgent.ts'

let agio: AgioStack
beforeAll(async () => {
  agio = await startAgio({ ownDatabase: true })
})
afterAll(() => agio?.stop())

it('get_market says why a pool refuses conversions, and for which pairs an operator has paused quotes', async () => {
  await using client = await connectAgent(agio.url, { era: 'newer' })
  const { data: open } = await client.call('get_market', {})
  expect([open['pausedPairs'], JSON.stringify(open)]).toEqual([[], expect.not.stringContaining('svc/')])
  await agio.scenarios.run('pool-frozen', { pool: 'tAUD/tUSD' })
  await agio.scenarios.run('stale-price', { symbol: 'tEUR' })
  const { tAUD: tokenA, tEUR: tokenB } = agio.chains[84532].tokens
  await createAdminClient(agio.url).pauseQuotes({ chainId: 84532, tokenA, tokenB })
  const read = async () => {
    const { text, data } = await client.call('get_market', {})
    const pools = data['pools'] as readonly { readonly name: string; readonly refusal?: string }[]
    return [pools.map(({ name, refusal }) => [name, refusal]), data['pausedPairs'], text]
  }
  const refused = [
    ['tAUD/tUSD', 'svc/pool-frozen'],
    ['tEUR/tUSD', 'svc/stale-price'],
  ]
  const paused = [{ name: 'tAUD/tEUR', tokens: expect.arrayContaining([tokenA, tokenB]) }]
  const sentences = 'Pools that refuse conversions: "tAUD/tUSD", "tEUR/tUSD". Quotes are paused for: "tAUD/tEUR".'
  await expect.poll(read).toEqual([refused, paused, expect.stringContaining(sentences)])
})
