import { describe, it } from 'vitest'
import { actor, shop } from './shop.ts'
import { databases, open, url, types, hash, all, later } from './openWebhookStack.ts'

describe.concurrent.each(databases)('the webhooks of a database on $name', ({ create }) => {
  it('two processes never claim the same watch or record the same transition, and the lease of a killed one ends', async ({
    expect,
  }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, other, keyId } = stack
    await one.create(keyId, { url, events: types })
    const watch = { keyId, chainId: 84532, transactionHash: hash } as const
    expect(await one.follow({ ...watch, cursor: 'first' })).toBe(true)
    expect(await other.follow({ ...watch, cursor: 'second' })).toBe(false)
    await one.startObserving(watch)
    const due = { chainId: 84532, head: { hash: '0x01', number: 1n }, limit: 10, leaseMs: 60_000 } as const
    const [claimed, second] = await Promise.all([one.observations.claim(due), other.observations.claim(due)])
    expect([...claimed, ...second]).toMatchObject([{ ...watch, cursor: 'second', version: 1 }])
    await stack.run('update webhook_watches set lease_until = now()')
    const [again] = await other.observations.claim(due)
    expect(again).toMatchObject(watch)
    const observed = { cursor: 'next', state: { status: 'included' }, head: due.head, nextInMs: 0 } as const
    const event = { type: 'transaction.included', payload: '{}' }
    // The first process was paused, not killed, or both of them hold the same version.
    for (const [process, claim] of [
      [one, claimed[0] ?? second[0]],
      [other, again],
      [other, again],
    ] as const) {
      if (claim) await process.observations.record(claim, { ...observed, event })
    }
    expect(await one.listDeliveries(keyId, (await one.list(keyId))[0]?.id ?? '', all)).toHaveLength(1)
    expect(await one.observations.claim(due), 'not again at the same block').toEqual([])
    const behind = { ...due, head: { hash: '0x00', number: 0n } }
    expect(await one.observations.claim(behind), 'not by one that lags behind').toEqual([])
    const next = { ...due, head: { hash: '0x02', number: 2n } }
    expect(await one.observations.claim(next)).toMatchObject([{ version: 2, state: { status: 'included' } }])
  })

  it('keys take turns, so that many transactions of one key do not delay a transaction of another key', async ({
    expect,
  }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, other, keyId, keys } = stack
    const { key: second } = await keys.create(shop, actor)
    await one.create(second.id, { url, events: types })
    const toHash = (index: number) => `0x${index.toString(16).padStart(64, '0')}` as const
    for (let index = 0; index < 50; index += 1)
      await one.followRegistered({ keyId, chainId: 84532, transactionHash: toHash(index), cursor: '' })
    await one.followRegistered({ keyId: second.id, chainId: 84532, transactionHash: toHash(50), cursor: '' })
    const due = { chainId: 84532, head: { hash: '0x01', number: 1n }, limit: 4, leaseMs: 60_000 } as const
    const claims = await Promise.all([one.observations.claim(due), other.observations.claim(due)])
    const claimed = claims.flat()
    expect(claimed.map((each) => each.keyId)).toContain(second.id)
    expect(new Set(claimed.map((each) => each.transactionHash)).size).toBe(claimed.length)
  })

  it('a block that contains a transaction ends its wait for a later observation', async ({ expect }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, keyId } = stack
    await one.followRegistered({ keyId, chainId: 84532, transactionHash: hash, cursor: '' })
    const due = { chainId: 84532, head: { hash: '0x01', number: 1n }, ...later } as const
    const next = { ...due, head: { hash: '0x02', number: 2n } }
    const [claim] = await one.observations.claim(due)
    const state = { status: 'pending', visibility: 'hidden' } as const
    const observed = { cursor: '', state, head: due.head, nextInMs: 60_000, event: undefined }
    if (claim) await one.observations.record(claim, observed)
    await one.observations.wake(421614, [hash])
    expect(await one.observations.claim(next)).toEqual([])
    await one.observations.wake(84532, [hash])
    expect(await one.observations.claim(next)).toMatchObject([{ transactionHash: hash }])
  })

  it('a row keeps the state as the previous release writes and reads it', async ({ expect }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, keyId } = stack
    await one.followRegistered({ keyId, chainId: 84532, transactionHash: hash, cursor: 'first' })
    const claimAt = async (number: bigint) =>
      (await one.observations.claim({ chainId: 84532, head: { hash: `${number}`, number }, ...later }))[0]
    const state = { status: 'replaced', winner: { finality: 'safe', hash: '0x01' } } as const
    const claimed = await claimAt(1n)
    const observed = { cursor: 'next', state, head: { hash: '1', number: 1n }, nextInMs: 0, event: undefined }
    if (claimed) await one.observations.record(claimed, observed)
    expect(await stack.read('select status from webhook_watches')).toEqual([{ status: 'replaced/safe/0x01' }])
    expect(await claimAt(2n)).toMatchObject({ state })
    await stack.run(`update webhook_watches set status = 'failed/safe', lease_until = now()`)
    expect(await claimAt(3n)).toMatchObject({ state: { status: 'failed', finality: 'safe' } })
    await stack.run(`update webhook_watches set status = 'unknown', ended_at = now()`)
    expect(await one.listFollowed(keyId, 10)).toMatchObject([{ state: undefined }])
  })

  it('a broadcast is followed anew where the transaction has ended, and a refused one leaves the watch of another', async ({
    expect,
  }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, other, keyId } = stack
    const watch = { keyId, chainId: 84532, transactionHash: hash } as const
    const due = { chainId: 84532, head: { hash: '0x01', number: 1n }, ...later } as const
    await one.followRegistered({ ...watch, cursor: 'wrong' })
    const [registered] = await one.observations.claim(due)
    const ended = { cursor: 'wrong', state: undefined, head: due.head, nextInMs: undefined, event: undefined }
    if (registered) await one.observations.record(registered, ended)
    expect(await one.observations.claim({ ...due, head: { hash: '0x02', number: 2n } })).toEqual([])
    const signed = { ...watch, signedTransaction: '0x02' } as const
    expect([await one.follow(signed), await other.follow(signed)]).toEqual([false, false])
    await other.unfollowUnsent(watch)
    await one.startObserving(watch)
    const [again] = await one.observations.claim(due)
    expect(again).toMatchObject({ signedTransaction: '0x02', cursor: undefined, state: undefined })
  })

  it('of two broadcasts of one transaction the refused one deletes nothing, and a single watch is no longer followed', async ({
    expect,
  }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, other, keyId } = stack
    const watch = { keyId, chainId: 84532, transactionHash: hash } as const
    expect([await one.follow(watch), await other.follow(watch)]).toEqual([true, false])
    await one.unfollowUnsent(watch)
    expect(await one.listFollowed(keyId, 10)).toHaveLength(1)
    const alone = { ...watch, transactionHash: `0x${'cd'.repeat(32)}` } as const
    await one.follow(alone)
    await one.unfollowUnsent(alone)
    expect(await one.listFollowed(keyId, 10)).toHaveLength(1)
  })

  it('a broadcast transaction is observed once it is sent, or half a minute later if its process was killed', async ({
    expect,
  }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, keyId } = stack
    await one.create(keyId, { url, events: types })
    const sent = { keyId, chainId: 84532, transactionHash: hash } as const
    const killed = { ...sent, transactionHash: `0x${'cd'.repeat(32)}` } as const
    const due = { chainId: 84532, head: { hash: '0x01', number: 1n }, ...later } as const
    for (const watch of [sent, killed]) await one.follow(watch)
    expect(await one.observations.claim(due)).toEqual([])
    await one.startObserving(sent)
    expect(await one.observations.claim(due)).toMatchObject([sent])
    await stack.run("update webhook_watches set due_at = due_at - interval '30 seconds'")
    expect(await one.observations.claim(due)).toMatchObject([killed])
  })

  it('the limit of transactions counts those that a key registers, not those that it broadcasts', async ({
    expect,
  }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, keyId } = stack
    await stack.run(`insert into webhook_watches (key_id, chain_id, transaction_hash)
      select '${keyId}', 84532, '0x' || lpad(to_hex(n), 64, '0') from generate_series(1, 1000) as n`)
    const own = { keyId, chainId: 84532, transactionHash: hash, cursor: 'one' } as const
    await one.followRegistered(own)
    await stack.run('update webhook_watches set is_registered = true')
    await one.followRegistered(own)
    const next = { ...own, transactionHash: `0x${'cd'.repeat(32)}` } as const
    await expect(one.followRegistered(next)).rejects.toMatchObject({ code: 'svc/webhook-limit' })
  })
})
