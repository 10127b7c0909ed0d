import { describe, expect, it } from 'vitest'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { moveClock, slowDown } from '../moveClock.ts'
import { recordSteps } from '../recordSteps.ts'
import { changeData, type Changes, type Json } from './createTamperingFetch.ts'
import { chainId, chains, client, createLocalWallet, createVictim, toRequest } from './startVictim.ts'

const build = (change: (built: Json) => Json): Changes => ({ 'transaction.buildConvert': changeData(change) })

async function convert(changes: Changes) {
  const victim = createVictim(changes)
  const wallet = await createLocalWallet('tAUD')
  const quote = await victim.quote(toRequest('tAUD'))
  const recorded = await recordSteps(victim.convert({ quote, wallet }))
  return { ...recorded, sent: await client.getTransactionCount({ address: wallet.account.address }) }
}

describe('a service that hides that a conversion would fail', () => {
  it('error: convert/simulation-failed for a balance that is too low, and nothing is sent', async () => {
    const hide = build((built: Json) => ({ ...built, issues: [] }))
    const victim = createVictim(hide)
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '1' } })
    const quote = await victim.quote(toRequest('tAUD'))
    using clock = moveClock()
    slowDown(wallet, clock)
    const { error } = await recordSteps(victim.convert({ quote, wallet }))
    expect(error).toMatchObject({ code: 'convert/simulation-failed', action: 'requote' })
    expect(await client.getTransactionCount({ address: wallet.address })).toBe(0)
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
