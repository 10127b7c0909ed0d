import { expect, it } from 'vitest'
import { validInputs } from './validInputs.ts'
import { readBalance } from './readBalance.ts'
import { startAgio } from './startAgio.ts'
import { startTestLocalnet } from './startTestLocalnet.ts'
import { setPrice } from './movePrice.ts'

it('a wallet of a stack holds what it was given, and its client quotes and converts', async () => {
  await using agio = await startAgio()
  const { tokens } = agio.localnet.chains[84532]
  const wallet = await agio.wallet({ tAUD: '1000' })
  const quote = await agio.client.quote({
    chainId: 84532,
    tokenIn: tokens.tAUD,
    tokenOut: tokens.tUSD,
    amountIn: '100',
  })
  const receipt = await agio.client.convert({ quote, wallet })
  expect(receipt).toMatchObject({ amountIn: '100.000000', amountOut: '65.087440' })
  expect(await readBalance(agio.localnet.chains[84532], tokens.tUSD, wallet.address)).toBe(65_087_440n)
})

it('a snapshot restores the chains any number of times, and the service serves the restored state', async () => {
  await using agio = await startAgio()
  const chain = agio.localnet.chains[84532]
  const preview = async () =>
    (await agio.callers.REST('convert.preview', validInputs(chain)['convert.preview'])).data?.['amountOut']
  const before = await preview()
  const snapshot = await agio.snapshot()
  for (const price of [70_000_000n, 60_000_000n]) {
    await setPrice(chain, 'tAUD', price)
    await expect.poll(preview).not.toBe(before)
    await snapshot.restore()
    expect(await preview()).toBe(before)
  }
})

it('chains that an earlier test has changed are as after their deployment', async () => {
  const readPreview = async (changesPrice: boolean) => {
    await using localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000 })
    const chain = localnet.chains[84532]
    if (changesPrice) await setPrice(chain, 'tAUD', 70_000_000n)
    await using agio = await startAgio({ localnet })
    return (await agio.callers.REST('convert.preview', validInputs(chain)['convert.preview'])).data?.['amountOut']
  }
  expect([await readPreview(true), await readPreview(false)]).toEqual(['699.650000', '650.874400'])
})
