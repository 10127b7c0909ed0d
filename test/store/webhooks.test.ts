import { createKeys, openDatabase, openWebhooks, type Database } from '@agio/store/testing'
import { describe, it, type ExpectStatic } from 'vitest'
import { listDatabases } from './listDatabases.ts'
import { shop } from './shop.ts'

const databases = await listDatabases('the queues of webhooks')

const url = 'https://shop.example/hooks'
const types = ['transaction.included', 'transaction.finalized', 'market.stale']
const hash = `0x${'ab'.repeat(32)}` as const
const later = { limit: 10, leaseMs: 60_000 }

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

  it('keys take turns: one with many due deliveries does not hold up another, and has at most eight in flight', async ({
    expect,
  }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, keys, keyId } = stack
    for (let count = 0; count < 3; count += 1) await one.create(keyId, { url, events: types })
    await stack.addEvents(['a', 'b', 'c', 'd', 'e', 'f'])
    const { key } = await keys.create(shop)
    const { id } = await one.create(key.id, { url, events: types })
    await stack.run(`insert into webhook_deliveries (id, webhook_id, subject, type, payload)
      values ('msg_other', '${id}', 'z', 'transaction.included', 'other')`)
    expect(payloads(await one.deliveries.claim({ ...later, limit: 2 }))).toContain('other')
    expect(await one.deliveries.claim({ ...later, limit: 100 })).toHaveLength(7)
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

  it('of one transaction an event waits for the earlier one, of others it does not', async ({ expect }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, other } = stack
    await stack.addEvents(['a', 'b', 'a'])
    const first = await one.deliveries.claim(later)
    expect(payloads(first)).toEqual(['a 0', 'b 1'])
    expect(await other.deliveries.claim(later)).toEqual([])
    const [a, b] = first as [(typeof first)[0], (typeof first)[0]]
    expect(await one.deliveries.finish(a, failed(60_000))).toBe('retried')
    expect(await one.deliveries.finish(b, { outcome: 'delivered', status: 200 })).toBe('delivered')
    expect(await other.deliveries.claim(later), 'the failed one is due later').toEqual([])
    await stack.run('update webhook_deliveries set due_at = now()')
    const [retried] = await other.deliveries.claim(later)
    expect(retried).toMatchObject({ id: a.id, attempts: 1 })
    expect(await one.deliveries.finish(a, { outcome: 'delivered', status: 200 }), 'its lease is lost').toBe('lost')
    if (retried) expect(await other.deliveries.finish(retried, failed(undefined))).toBe('given-up')
    expect(payloads(await one.deliveries.claim(later)), 'what is given up blocks nothing').toEqual(['a 2'])
  })

  it('a delivery whose process was killed is claimed by another one once its lease ends', async ({ expect }) => {
    await using place = await create()
    await using stack = await open(place.location)
    await stack.addEvents(['a'])
    const [claimed] = await stack.one.deliveries.claim(later)
    await stack.run('update webhook_deliveries set lease_until = now()')
    const [taken] = await stack.other.deliveries.claim(later)
    expect(taken).toEqual({ ...claimed, claim: expect.not.stringMatching(claimed?.claim ?? '') })
  })

  it('one webhook has at most four deliveries in flight', async ({ expect }) => {
    await using place = await create()
    await using stack = await open(place.location)
    await stack.addEvents(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(await stack.one.deliveries.claim({ ...later, limit: 3 })).toHaveLength(3)
    const rest = await stack.other.deliveries.claim(later)
    expect(rest).toHaveLength(1)
    for (const delivery of rest) await stack.other.deliveries.release(delivery)
    expect(payloads(await stack.one.deliveries.claim(later))).toEqual(payloads(rest))
  })

  it('a webhook is disabled at 410 and after three days without a success, and its deliveries are given up until a replay', async ({
    expect,
  }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, keyId, webhookId } = stack
    await stack.addEvents(['a', 'b'])
    const [a] = await one.deliveries.claim({ ...later, limit: 1 })
    if (a) expect(await one.deliveries.finish(a, { outcome: 'gone', status: 410 })).toBe('disabled')
    await one.refresh()
    expect(one.followsTransactions(keyId)).toBe(false)
    expect(await one.list(keyId)).toMatchObject([{ disabled: { reason: 'gone' } }])
    await stack.addEvents(['c'])
    expect(await one.deliveries.claim(later)).toEqual([])
    const givenUp = await one.listDeliveries(keyId, webhookId, { ...all, status: 'given-up' })
    expect(givenUp).toHaveLength(3)
    expect(await one.replay(keyId, webhookId, undefined)).toBe(3)
    expect(await one.list(keyId)).toMatchObject([{ disabled: undefined }])
    const [again] = await one.deliveries.claim({ ...later, limit: 1 })
    if (again) expect(await one.deliveries.finish(again, failed(0))).toBe('retried')
    await stack.run("update webhooks set failing_since = now() - interval '3 days 1 second'")
    const [third] = await one.deliveries.claim({ ...later, limit: 1 })
    if (third) expect(await one.deliveries.finish(third, failed(0))).toBe('disabled')
    expect(await one.list(keyId)).toMatchObject([{ disabled: { reason: 'failing' } }])
  })

  it('nothing of a revoked key is claimed', async ({ expect }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, keyId, keys } = stack
    await stack.addEvents(['a'])
    await one.followRegistered({ keyId, chainId: 84532, transactionHash: hash })
    await keys.revoke(keyId)
    expect(await one.deliveries.claim(later)).toEqual([])
    expect(await one.observations.claim({ chainId: 84532, head: { hash: '0x', number: 1n }, ...later })).toEqual([])
    await one.refresh()
    expect(one.followsTransactions(keyId)).toBe(false)
  })

  it('after a rotation both secrets sign for a day, and then only the new one', async ({ expect }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, keyId, webhookId, secret } = stack
    await stack.addEvents(['a'])
    const rotated = await one.rotate(keyId, webhookId)
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const [signed] = await one.deliveries.claim(later)
    expect(signed?.secrets).toEqual([rotated.secret, secret])
    await stack.run('update webhook_deliveries set lease_until = now()')
    await stack.run('update webhooks set old_secret_expires_at = now()')
    expect((await one.deliveries.claim(later))[0]?.secrets).toEqual([rotated.secret])
  })

  it('a market that changes is delivered once, whichever processes observe it, and not by one that lags behind', async ({
    expect,
  }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, other, keyId, webhookId } = stack
    const market = { chainId: 84532, pool: '0x00000000000000000000000000000000000000a1' } as const
    const toEvent = (from: string) => ({ type: 'market.stale', payload: from })
    const observe = async (process: typeof one, state: 'open' | 'stale', blockNumber: bigint) =>
      await process.observations.recordMarket({ ...market, state, blockNumber }, toEvent)
    for (const process of [one, other]) await observe(process, 'open', 1n)
    await Promise.all([observe(one, 'stale', 5n), observe(other, 'stale', 5n)])
    await observe(other, 'open', 4n)
    expect(await one.listDeliveries(keyId, webhookId, all)).toMatchObject([{ type: 'market.stale', payload: 'open' }])
  })

  it('error: svc/webhook-limit at ten webhooks of a key, also when they are created at once', async ({ expect }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, keyId } = stack
    const created = await Promise.allSettled(
      Array.from({ length: 11 }, () => one.create(keyId, { url, events: types })),
    )
    // One is there from the start.
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(9)
    await expect(one.create(keyId, { url, events: types })).rejects.toMatchObject({ code: 'svc/webhook-limit' })
  })

  it('error: svc/webhook-not-found for the webhook of another key', async ({ expect }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, keys, webhookId } = stack
    const { key } = await keys.create(shop)
    await expectNotFound(expect, () => one.rotate(key.id, webhookId))
    await expectNotFound(expect, () => one.remove(key.id, webhookId))
    await expectNotFound(expect, () => one.listDeliveries(key.id, webhookId, all))
    await expectNotFound(expect, () => one.replay(key.id, webhookId, undefined))
  })

  it('what has ended is deleted: delivered events after a week, given-up ones after a month', async ({ expect }) => {
    await using place = await create()
    await using stack = await open(place.location)
    const { one, keyId, webhookId } = stack
    await stack.addEvents(['a', 'b', 'c'])
    const [a, b] = await one.deliveries.claim(later)
    if (a) await one.deliveries.finish(a, { outcome: 'delivered', status: 204 })
    if (b) await one.deliveries.finish(b, failed(undefined))
    await stack.run("update webhook_deliveries set ended_at = ended_at - interval '8 days'")
    await one.deliveries.clean()
    const statuses = async () => (await one.listDeliveries(keyId, webhookId, all)).map(({ status }) => status)
    expect(await statuses()).toEqual(['pending', 'given-up'])
    await stack.run("update webhook_deliveries set ended_at = ended_at - interval '30 days'")
    await one.deliveries.clean()
    expect(await statuses()).toEqual(['pending'])
    await stack.run(`insert into webhook_deliveries (id, webhook_id, subject, type, payload, status, ended_at)
      select 'old_' || n, '${webhookId}', 'a', 'transaction.included', '', 'delivered', now() - interval '8 days'
      from generate_series(1, 2500) as n`)
    await one.deliveries.clean()
    expect(await statuses(), 'more than a batch').toEqual(['pending'])
    await stack.run("update webhooks set disabled_at = now(), disabled_reason = 'gone'")
    await one.deliveries.clean()
    expect(await statuses(), 'what was recorded while it was disabled').toEqual(['given-up'])
  })
})

const all = { status: undefined, before: undefined, limit: 100 }

const failed = (retryInMs: number | undefined) =>
  ({ outcome: 'failed', status: 500, error: 'status-500', retryInMs }) as const

const payloads = (deliveries: readonly { readonly payload: string }[]) => deliveries.map(({ payload }) => payload)

async function expectNotFound(expect: ExpectStatic, call: () => Promise<unknown>): Promise<void> {
  await expect(call()).rejects.toMatchObject({ code: 'svc/webhook-not-found' })
}

/** Opens a database for two processes, with one key and its webhook. */
async function open(location: Parameters<typeof openDatabase>[0]) {
  const database: Database = await openDatabase(location)
  const [one, other] = [openWebhooks(database), openWebhooks(database)]
  const keys = createKeys(database)
  const { key } = await keys.create(shop)
  const { id: webhookId, secret } = await one.create(key.id, { url, events: types })
  const read = async (text: string) => ((await database.db.execute(text)) as { readonly rows: unknown }).rows
  const run = async (text: string) => void (await read(text))
  let events = 0
  /** Records an event for each subject, by the watch of a transaction. */
  const addEvents = async (subjects: readonly string[]) => {
    for (const subject of subjects) {
      const payload = `${subject} ${events}`
      const digit = subject.charCodeAt(0).toString(16)
      const watch = { keyId: key.id, chainId: 84532, transactionHash: `0x${digit.repeat(32)}` } as const
      await one.follow(watch)
      await one.startObserving(watch)
      const head = { hash: `${events}`, number: BigInt(events) }
      const claims = await one.observations.claim({ chainId: 84532, head, limit: 9, leaseMs: 1000 })
      for (const claim of claims) {
        const isOwn = claim.transactionHash === watch.transactionHash
        const event = isOwn ? { type: 'transaction.included', payload } : undefined
        await one.observations.record(claim, { cursor: '', state: { status: 'included' }, head, nextInMs: 0, event })
      }
      events += 1
    }
  }
  const dispose = () => database.close()
  return { one, other, keys, keyId: key.id, webhookId, secret, read, run, addEvents, [Symbol.asyncDispose]: dispose }
}
