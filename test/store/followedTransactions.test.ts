import type { TransactionState } from '@agio/core'
import { describe, it } from 'vitest'
import { partOf } from '../harness/partOf.ts'
import { actor, shop } from './shop.ts'
import { databases, open, url, types, all, later } from './openWebhookStack.ts'

const otherHash = `0x${'cd'.repeat(32)}` as const

/** A claim of what is due at a block. */
const dueAt = (number: bigint) => ({ chainId: 84532, head: { hash: `0x0${number}`, number }, ...later }) as const

/** An observation at a block without an event. The transaction is observed again at the next block. */
const observedAt = (number: bigint, state: TransactionState.TransactionState | undefined) =>
  ({ cursor: 'next', state, head: dueAt(number).head, nextInMs: 0, event: undefined }) as const

describe.concurrent.each(partOf(databases))('the webhooks of a database on $name', ({ create }) => {
  it('two processes never claim the same watch or record the same transition, and the lease of a killed one ends', async ({
    expect,
  }) => {
    await using stack = await open(create)
    const { one, other, keyId, webhookId, watch } = stack
    expect(await one.follow({ ...watch, cursor: 'first' })).toBe(true)
    expect(await other.follow({ ...watch, cursor: 'second' })).toBe(false)
    await one.startObserving(watch)
    const due = dueAt(1n)
    const [claimed, second] = await Promise.all([one.observations.claim(due), other.observations.claim(due)])
    expect([...claimed, ...second]).toMatchObject([{ ...watch, cursor: 'second', version: 1 }])
    await stack.run('update webhook_watches set lease_until = now()')
    const [again] = await other.observations.claim(due)
    expect(again).toMatchObject(watch)
    const event = { type: 'transaction.included', payload: '{}' }
    // The first process was paused, not killed, or both of them hold the same version.
    for (const [process, claim] of [
      [one, claimed[0] ?? second[0]],
      [other, again],
      [other, again],
    ] as const) {
      if (claim) await process.observations.record(claim, { ...observedAt(1n, { status: 'included' }), event })
    }
    expect(await one.listDeliveries(keyId, webhookId, all)).toHaveLength(1)
    expect(await one.observations.claim(due), 'not again at the same block').toEqual([])
    expect(await one.observations.claim(dueAt(0n)), 'not by one that lags behind').toEqual([])
    expect(await one.observations.claim(dueAt(2n))).toMatchObject([{ version: 2, state: { status: 'included' } }])
  })

  it('keys take turns, so that many transactions of one key do not delay a transaction of another key', async ({
    expect,
  }) => {
    await using stack = await open(create)
    const { one, other, watch, keys } = stack
    const { key: second } = await keys.create(shop, actor)
    await one.create(second.id, { url, events: types })
    const toHash = (index: number) => `0x${index.toString(16).padStart(64, '0')}` as const
    for (let index = 0; index < 50; index += 1) await one.followRegistered({ ...watch, transactionHash: toHash(index) })
    await one.followRegistered({ ...watch, keyId: second.id, transactionHash: toHash(50) })
    const due = { ...dueAt(1n), limit: 4 }
    const claims = await Promise.all([one.observations.claim(due), other.observations.claim(due)])
    const claimed = claims.flat()
    expect(claimed.map((each) => each.keyId)).toContain(second.id)
    expect(new Set(claimed.map((each) => each.transactionHash)).size).toBe(claimed.length)
  })

  it('a block that contains a transaction ends its wait for a later observation', async ({ expect }) => {
    await using stack = await open(create)
    const { one, watch } = stack
    await one.followRegistered({ ...watch, cursor: '' })
    const [claim] = await one.observations.claim(dueAt(1n))
    const hidden = observedAt(1n, { status: 'pending', visibility: 'hidden' })
    if (claim) await one.observations.record(claim, { ...hidden, nextInMs: 60_000 })
    await one.observations.wake(421614, [watch.transactionHash])
    expect(await one.observations.claim(dueAt(2n))).toEqual([])
    await one.observations.wake(84532, [watch.transactionHash])
    expect(await one.observations.claim(dueAt(2n))).toMatchObject([watch])
  })

  it('a broadcast is followed anew where the transaction has ended, and a refused one leaves the watch of another', async ({
    expect,
  }) => {
    await using stack = await open(create)
    const { one, other, watch } = stack
    await one.followRegistered({ ...watch, cursor: 'wrong' })
    const [registered] = await one.observations.claim(dueAt(1n))
    const ended = { ...observedAt(1n, undefined), nextInMs: undefined }
    if (registered) await one.observations.record(registered, ended)
    expect(await one.observations.claim(dueAt(2n))).toEqual([])
    const signed = { ...watch, signedTransaction: '0x02' } as const
    expect([await one.follow(signed), await other.follow(signed)]).toEqual([false, false])
    await other.unfollowUnsent(watch)
    await one.startObserving(watch)
    const [again] = await one.observations.claim(dueAt(1n))
    expect(again).toMatchObject({ signedTransaction: '0x02', cursor: undefined, state: undefined })
  })

  it('a transaction in its final state stays ended after a broadcast, a watch and an observation of another process', async ({
    expect,
  }) => {
    await using stack = await open(create)
    const { one, other, keyId, watch } = stack
    const states = [
      { status: 'finalized' },
      { status: 'failed', finality: 'finalized' },
      { status: 'replaced', winner: { finality: 'finalized', hash: otherHash } },
    ] as const
    for (const [index, state] of states.entries()) {
      const signed = { ...watch, transactionHash: `0x${`${index}a`.repeat(32)}`, signedTransaction: '0x02' } as const
      await one.follow(signed)
      await one.startObserving(signed)
      const [old] = await other.observations.claim(dueAt(1n))
      await stack.run('update webhook_watches set lease_until = now()')
      const [claim] = await one.observations.claim(dueAt(1n))
      if (claim) await one.observations.record(claim, { ...observedAt(1n, state), nextInMs: undefined })
      const [final] = await one.listFollowed(keyId, 1)
      expect(final).toMatchObject({ state, endedAt: expect.any(Date) as Date })
      expect(await one.follow(signed)).toBe(false)
      await one.startObserving(signed)
      await one.followRegistered(signed)
      if (old) await other.observations.record(old, observedAt(1n, { status: 'included' }))
      if (old) await other.observations.release(old, 0)
      await one.observations.wake(84532, [signed.transactionHash])
      expect(await one.listFollowed(keyId, 1)).toEqual([final])
      expect(await one.observations.claim(dueAt(2n))).toEqual([])
    }
  })

  it('of two broadcasts of one transaction the refused one deletes nothing', async ({ expect }) => {
    await using stack = await open(create)
    const { one, other, keyId, watch } = stack
    expect([await one.follow(watch), await other.follow(watch)]).toEqual([true, false])
    await one.unfollowUnsent(watch)
    expect(await one.listFollowed(keyId, 10)).toHaveLength(1)
  })

  it('a broadcast transaction is observed once it is sent, or half a minute later if its process was killed', async ({
    expect,
  }) => {
    await using stack = await open(create)
    const { one, watch: sent } = stack
    const killed = { ...sent, transactionHash: otherHash }
    for (const watch of [sent, killed]) await one.follow(watch)
    expect(await one.observations.claim(dueAt(1n))).toEqual([])
    await one.startObserving(sent)
    expect(await one.observations.claim(dueAt(1n))).toMatchObject([sent])
    await stack.run("update webhook_watches set due_at = due_at - interval '30 seconds'")
    expect(await one.observations.claim(dueAt(1n))).toMatchObject([killed])
  })

  it('the limit of transactions counts those that a key registers, not those that it broadcasts', async ({
    expect,
  }) => {
    await using stack = await open(create)
    const { one, keyId, watch } = stack
    await stack.run(`insert into webhook_watches (key_id, chain_id, transaction_hash)
      select '${keyId}', 84532, '0x' || lpad(to_hex(n), 64, '0') from generate_series(1, 1000) as n`)
    await one.followRegistered(watch)
    await stack.run('update webhook_watches set is_registered = true')
    await one.followRegistered(watch)
    const next = { ...watch, transactionHash: otherHash }
    await expect(one.followRegistered(next)).rejects.toMatchObject({ code: 'svc/webhook-limit' })
  })
})
