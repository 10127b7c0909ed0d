import { expect, test } from 'vitest'
import { startAgio } from '../harness/startAgio.ts'
import { renameToken } from '../mcp/renameToken.ts'

test('tokens of one symbol keep their prices', async () => {
  await using agio = await startAgio({ prepare: ({ chains }) => renameToken(chains[84532], 'tEUR', 'tAUD') })
  const { tAUD, tEUR, tUSD } = agio.chains[84532].tokens
  for (const call of Object.values(agio.callers)) {
    const { data } = await call('oracle.prices', { chainId: 84532 })
    const { tokens, prices } = data as unknown as Prices
    expect(new Set(tokens.map(({ address, symbol, usd }) => `${address} ${symbol} ${usd}`))).toEqual(
      new Set([`${tAUD} tAUD 0.65120000`, `${tEUR} tAUD 1.08450000`, `${tUSD} tUSD 1.00`]),
    )
    expect(prices['tUSD']?.address).toBe(tUSD)
  }
})

type Prices = {
  readonly tokens: readonly Readonly<Record<'address' | 'symbol' | 'usd', string>>[]
  readonly prices: Readonly<Record<string, { readonly address: string }>>
}
