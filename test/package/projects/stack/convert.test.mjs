// Runs on Node's own test runner, in a project that has the tarballs installed.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAgio } from '@agio/localnet'

const agio = await startAgio({ chains: [84532] })
after(() => agio.stop())
const { tAUD, tUSD } = agio.tokens[84532]
const terms = { chainId: 84532, tokenIn: tAUD, tokenOut: tUSD, amountIn: '100' }

test('a wallet converts, and a restore undoes it', async () => {
  const snapshot = await agio.snapshot()
  const quote = await agio.client.quote(terms)
  const receipt = await agio.client.convert({ quote, wallet: await agio.wallet({ tAUD: '1000' }) })
  assert.equal(receipt.amountOut, quote.amountOut)
  await snapshot.restore()
  assert.equal((await agio.client.quote(terms)).amountOut, '65.087440')
})

test('a price is stale two hours later', async () => {
  await agio.time.travel('+2 hours')
  await assert.rejects(agio.client.quote(terms), { code: 'svc/stale-price' })
})
