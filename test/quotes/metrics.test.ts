import { request } from 'undici'
import { expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { startAgio } from '../harness/startAgio.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { executeQuote, requestQuote } from '../harness/executeQuote.ts'

it('the metrics count the quotes that are issued, built, mined and used after their expiry, and the slippage', async () => {
  await using stack = await startAgio()
  const [chain, call] = [stack.localnet.chains[84532], stack.callers.REST]
  const { tAUD: tokenIn, tUSD: tokenOut } = chain.tokens
  const input = { chainId: 84532, tokenIn, tokenOut, amountIn: '10' }
  const { quoted, payer } = await executeQuote(call, chain, input)
  await call('transaction.buildConvert', { quote: quoted.quote, userAddress: payer.address })
  const { quote, expiresAt } = await requestQuote(call, { ...input, validForSeconds: 600 })
  const { client } = connectOwner(chain)
  await client.setNextBlockTimestamp({ timestamp: BigInt(Date.parse(expiresAt)) / 1000n })
  await client.mine({ blocks: 1 })
  await waitForBlock(stack.url, chain)
  const late = await call('transaction.buildConvert', { quote, userAddress: payer.address })
  expect(late).toMatchObject({ status: 410 })

  const { body } = await request(`${stack.url}/metrics`, { headers: { 'x-admin-key': adminKey } })
  const lines = (await body.text()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'agio_quotes_total{event="issued"} 2',
      'agio_quotes_total{event="built"} 1',
      'agio_quotes_total{event="mined"} 1',
      'agio_quotes_total{event="expired"} 1',
      'agio_quote_slippage_ratio_count 1',
      'agio_quote_slippage_ratio_sum 0',
    ]),
  )
})
