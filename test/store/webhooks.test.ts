import { describe, it } from 'vitest'
import { partOf } from '../harness/partOf.ts'
import { actor, shop } from './shop.ts'
import { databases, open, url, types, later, all } from './openWebhookStack.ts'

describe.concurrent.each(partOf(databases))('the webhooks of a database on $name', ({ name, create }) => {
  it('keys take turns: one with many due deliveries does not hold up another, and has at most eight in flight', async ({
    expect,
  }) => {
    await using stack = await open(create)
    const { one, keys, keyId } = stack
    for (let count = 0; count < 3; count += 1) await one.create(keyId, { url, events: types })
    await stack.addEvents(['a', 'b', 'c', 'd', 'e', 'f'])
    const { key } = await keys.create(shop, actor)
    const { id } = await one.create(key.id, { url, events: types })
    await stack.run(`insert into webhook_deliveries (id, webhook_id, subject, type, payload)
      values ('msg_other', '${id}', 'z', 'transaction.included', 'other')`)
    expect(payloads(await one.deliveries.claim({ ...later, limit: 2 }))).toContain('other')
    expect(await one.deliveries.claim({ ...later, limit: 100 })).toHaveLength(7)
  })

  it('test events delay no other event: at most one waits, and one in flight takes no turn of an event', async ({
    expect,
  }) => {
    await using stack = await open(create)
    const { one, keyId, webhookId } = stack
    const event = { type: 'webhook.test', payload: 'test' }
    const [first, second] = [await one.sendTest(keyId, webhookId, event), await one.sendTest(keyId, webhookId, event)]
    expect(second.id).toBe(first.id)
    expect(payloads(await one.deliveries.claim(later))).toEqual(['test'])
    await stack.addEvents(['a', 'b', 'c', 'd', 'e'])
    expect(await one.deliveries.claim(later)).toHaveLength(4)
  })

  it('a claim does not read the deliveries that are not due, the ones after those it claims, and the later ones of a subject', async ({
    expect,
  }) => {
    await using stack = await open(create)
    const { webhookId } = stack
    const add = (count: number, { name, subject, due }: { name: string; subject: string; due: string }) =>
      stack.run(`insert into webhook_deliveries (id, webhook_id, subject, type, payload, due_at)
        select '${name}' || n, '${webhookId}', ${subject}, 'transaction.included', '${name}', ${due}
        from generate_series(1, ${count}) as n`)
    await add(500, { name: 'due', subject: "'due' || n", due: 'now()' })
    await add(4000, { name: 'later', subject: "'later' || n", due: "now() + interval '1 hour'" })
    await add(4000, { name: 'waiting', subject: "'due' || n % 4 + 1", due: "now() + interval '1 hour'" })
    for (const statement of ['select', 'analyze']) {
      await stack.run(statement)
      const { claimed, rows } = await stack.claimAndCount(3)
      expect(payloads(claimed)).toEqual(['due', 'due', 'due'])
      expect(rows, statement).toBeGreaterThan(0)
      expect(rows, statement).toBeLessThan(100)
      for (const delivery of claimed) await stack.one.deliveries.release(delivery)
    }
  })

  // The embedded database runs one statement at a time.
  it.runIf(name === 'PostgreSQL')('two claims at the same moment both get deliveries', async ({ expect }) => {
    await using stack = await open(create)
    await stack.addEvents(['a', 'b', 'c', 'd'])
    const claimed: string[] = []
    const first = await stack.claimWhile(2, async () => {
      claimed.push(...payloads(await stack.other.deliveries.claim({ ...later, limit: 2 })))
    })
    expect(payloads(first)).toEqual(['a 0', 'b 1'])
    expect(claimed).toEqual(['c 2', 'd 3'])
  })

  it.runIf(name === 'PostgreSQL')(
    'a delivery that fails while another process chooses it is sent again only after the delay',
    async ({ expect }) => {
      await using stack = await open(create)
      const { deliveries } = stack.one
      await stack.addEvents(['a'])
      const claimed = await stack.claimAfter(async () => {
        for (const delivery of await deliveries.claim(later)) await deliveries.finish(delivery, failed(60_000))
      })
      expect(claimed).toEqual([])
    },
  )

  it('of one transaction an event waits for the earlier one, of others it does not', async ({ expect }) => {
    await using stack = await open(create)
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
    await using stack = await open(create)
    await stack.addEvents(['a'])
    const [claimed] = await stack.one.deliveries.claim(later)
    await stack.run('update webhook_deliveries set lease_until = now()')
    const [taken] = await stack.other.deliveries.claim(later)
    expect(taken).toEqual({ ...claimed, claim: expect.not.stringMatching(claimed?.claim ?? '') })
  })

  it('a webhook is disabled after three days without a success, and its deliveries are given up', async ({
    expect,
  }) => {
    await using stack = await open(create)
    const { one, keyId, webhookId } = stack
    await stack.addEvents(['a', 'b'])
    const failNext = async () => {
      const [next] = await one.deliveries.claim({ ...later, limit: 1 })
      return next && (await one.deliveries.finish(next, failed(0)))
    }
    expect(await failNext()).toBe('retried')
    await stack.run("update webhooks set failing_since = now() - interval '3 days 1 second'")
    expect(await failNext()).toBe('disabled')
    expect(await one.list(keyId)).toMatchObject([{ disabled: { reason: 'failing' } }])
    expect(await one.listDeliveries(keyId, webhookId, { ...all, status: 'given-up' })).toHaveLength(2)
  })

  it('after a rotation both secrets sign for a day, and then only the new one', async ({ expect }) => {
    await using stack = await open(create)
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
    await using stack = await open(create)
    const { one, other, keyId, webhookId } = stack
    const market = { chainId: 84532, pool: '0x00000000000000000000000000000000000000a1' } as const
    const toEvent = (from: string) => ({ type: 'market.stale', payload: from })
    const observe = async (process: typeof one, state: 'open' | 'stale', blockNumber: bigint) =>
      await process.observations.recordPool({ ...market, state, blockNumber }, toEvent)
    for (const process of [one, other]) await observe(process, 'open', 1n)
    await Promise.all([observe(one, 'stale', 5n), observe(other, 'stale', 5n)])
    await observe(other, 'open', 4n)
    expect(await one.listDeliveries(keyId, webhookId, all)).toMatchObject([{ type: 'market.stale', payload: 'open' }])
  })

  it('error: svc/webhook-limit at ten webhooks of a key, also when they are created at once', async ({ expect }) => {
    await using stack = await open(create)
    const { one, keyId } = stack
    const created = await Promise.allSettled(
      Array.from({ length: 11 }, () => one.create(keyId, { url, events: types })),
    )
    // One is there from the start.
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(9)
    await expect(one.create(keyId, { url, events: types })).rejects.toMatchObject({ code: 'svc/webhook-limit' })
  })

  it('what has ended is deleted: delivered events after a week, given-up ones after a month', async ({ expect }) => {
    await using stack = await open(create)
    const { one, keyId, webhookId } = stack
    await stack.addEvents(['a', 'b', 'c'])
    const [a, b] = await one.deliveries.claim(later)
    if (a) await one.deliveries.finish(a, { outcome: 'delivered', status: 204 })
    if (b) await one.deliveries.finish(b, failed(undefined))
    await stack.run("update webhook_deliveries set ended_at = ended_at - interval '8 days'")
    await one.deliveries.clean(9)
    const statuses = async () => (await one.listDeliveries(keyId, webhookId, all)).map(({ status }) => status)
    expect(await statuses()).toEqual(['pending', 'given-up'])
    await stack.run("update webhook_deliveries set ended_at = ended_at - interval '30 days'")
    await one.deliveries.clean(30, AbortSignal.abort())
    expect(await statuses(), 'a service that stops').toEqual(['pending', 'given-up'])
    await one.deliveries.clean(undefined)
    expect(await statuses(), 'a process that does not know for how long').toEqual(['pending', 'given-up'])
    await one.deliveries.clean(30)
    expect(await statuses()).toEqual(['pending'])
  })

  it('deliveries that are recorded while their webhook is disabled are given up in batches, until the service stops', async ({
    expect,
  }) => {
    await using stack = await open(create)
    const { one, webhookId } = stack
    await stack.run("update webhooks set disabled_at = now(), disabled_reason = 'gone'")
    await stack.run(`insert into webhook_deliveries (id, webhook_id, subject, type, payload)
      select 'stray_' || n, '${webhookId}', 'a', 'transaction.included', '' from generate_series(1, 2500) as n`)
    await one.deliveries.clean(30, AbortSignal.abort())
    const batches = `select count(*)::int as rows, last_error from webhook_deliveries where status = 'given-up'
      group by ended_at, last_error order by ended_at`
    expect(await stack.read(batches), 'a service that stops').toEqual([])
    await one.deliveries.clean(30)
    const batch = { rows: 1000, last_error: 'disabled' }
    expect(await stack.read(batches)).toEqual([batch, batch, { ...batch, rows: 500 }])
  })
})

const failed = (retryInMs: number | undefined) =>
  ({ outcome: 'failed', status: 500, error: 'status-500', retryInMs }) as const

const payloads = (deliveries: readonly { readonly payload: string }[]) => deliveries.map(({ payload }) => payload)
