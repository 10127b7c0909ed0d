import { describe, expect, it } from 'vitest'
import { recordSteps } from '../recordSteps.ts'
import { withFastClock } from '../withFastClock.ts'
import { changeData, type Changes, type Json } from './createTamperingFetch.ts'
import { client, createLocalWallet, createVictim, toRequest } from './startVictim.ts'

const build = (change: (built: Json) => Json): Changes => ({ 'transaction.buildConvert': changeData(change) })

async function convert(changes: Changes, amountIn = '10') {
  const victim = createVictim(changes)
  const wallet = await createLocalWallet('tAUD')
  const quote = await victim.quote({ ...toRequest('tAUD'), amountIn })
  const recorded = await recordSteps(victim.convert({ quote, wallet }))
  return { ...recorded, sent: await client.getTransactionCount({ address: wallet.account.address }) }
}

describe('a service that hides that a conversion would fail', () => {
  it('error: convert/simulation-failed for a balance that is too low, and nothing is sent', async () => {
    const hide = build((built: Json) => ({ ...built, issues: [] }))
    const { error, sent } = await withFastClock(() => convert(hide, '1000'))
    expect(error).toMatchObject({ code: 'convert/simulation-failed', action: 'requote' })
    expect(sent).toBe(0)
  })
})

describe('a service that leaves out or changes a field of the transaction', () => {
  it.each(['from', 'chainId', 'type'])('error: convert/mismatch with %s, and nothing is sent', async (field) => {
    const changes = [undefined, '0x1', '0x10000000000014a34'].map((value) =>
      build((built: Json) => ({ ...built, transaction: { ...built.transaction, [field]: value } })),
    )
    for (const change of changes) {
      const { error, sent } = await convert(change)
      expect(error).toMatchObject({ code: 'convert/mismatch', details: { field } })
      expect(sent).toBe(0)
    }
  })
})
