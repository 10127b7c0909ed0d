import { describe, expect, inject, it } from 'vitest'
import { createAgio } from '../../packages/sdk/src/index.ts'
import { validInputs } from '../harness/validInputs.ts'

describe.each(inject('runtimes'))('the client of the SDK on $name', ({ url, apiKey, chains }) => {
  const agio = createAgio({ url, apiKey })
  const inputs = validInputs(chains[84532])

  it('a query without input, a query and a mutation reach their procedures', async () => {
    const { chains: served } = await agio.api.chains.list.query()
    expect(served.map(({ chainId }) => chainId)).toContain(84532)
    const { amountIn } = await agio.api.convert.preview.query(inputs['convert.preview'])
    expect(amountIn).toBe('1000')
    const sent = agio.api.transaction.broadcast.mutate({ signedTransaction: '0x02' })
    await expect(sent).rejects.toMatchObject({ name: 'AgioError', code: 'svc/invalid-transaction', status: 400 })
  })
})
