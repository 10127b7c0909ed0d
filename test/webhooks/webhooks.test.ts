import { describe, expect, it } from 'vitest'
import { isVerified } from '../../examples/webhooks/verifyAsymmetric.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { expectSigned, status } from './startReceiver.ts'
import { setUpWebhooks, roomy } from './setUpWebhooks.ts'

const webhooks = setUpWebhooks()
const { create, broadcast, expectDeliveries, call, expectTypes, finalizeForAnother } = webhooks

describe('a receiver that fails', () => {
  it.each([
    ['answers 500', status(500), 'status-500'],
    ['redirects', status(302, { location: 'http://127.0.0.1:1/' }), 'redirect'],
  ])(
    'a receiver that %s is sent the same message until it is given up, and again by a replay',
    async (_, answer, error) => {
      const { id } = await create()
      webhooks.receiver.setAnswer(answer)
      await broadcast()
      await expectDeliveries(id, [{ status: 'given-up', attempts: 3, lastError: error }])
      expect(webhooks.receiver.messages).toHaveLength(3)
      expect(new Set(webhooks.receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(webhooks.receiver.messages.map(({ body }) => body)).size).toBe(1)
      webhooks.receiver.setAnswer(status(200))
      expect(await call('webhooks.replay', { id })).toMatchObject({ data: { replayed: 1 } })
      await expectDeliveries(id, [{ status: 'delivered', lastStatus: 200 }])
    },
  )

  it('410 disables the webhook at once, and a replay enables it', async () => {
    const { id } = await create()
    webhooks.receiver.setAnswer(status(410))
    await broadcast()
    const gone = { disabledReason: 'gone', disabledAt: expect.any(String) as string }
    const list = async () => (await call('webhooks.list', {})).data?.['webhooks']
    await expect.poll(list, eventually).toMatchObject([gone])
    expect(webhooks.receiver.messages).toHaveLength(1)
    webhooks.receiver.setAnswer(status(204))
    await call('webhooks.replay', { id })
    await expectDeliveries(id, [{ status: 'delivered' }])
    expect((await list()) as readonly object[]).not.toMatchObject([gone])
  })

  it('a receiver that answers 200 and then sends for ever has received its message', async () => {
    const { id } = await create()
    let isClosed = false
    webhooks.receiver.setAnswer((_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.on('close', () => {
        clearInterval(timer)
        isClosed = true
      })
    })
    await broadcast()
    await expectDeliveries(id, [{ status: 'delivered', attempts: 1 }])
    await expect.poll(() => isClosed, eventually).toBe(true)
  })

  it('a receiver that is down is named so, and receives the message once it is up', async () => {
    const { id } = await create()
    await webhooks.receiver[Symbol.asyncDispose]()
    await broadcast()
    await expectDeliveries(id, [{ status: 'given-up', lastError: 'connection' }])
  })
})

it('metrics count the messages and the followed transactions that wait', async () => {
  const read = async (metric: string) => {
    const response = await fetch(`${webhooks.stack.url}/metrics`, { headers: { 'x-admin-key': adminKey } })
    const line = (await response.text()).split('\n').find((each) => each.startsWith(`${metric} `))
    return Number(line?.slice(metric.length + 1))
  }
  const countFollowed = async () => {
    const counts = ['waiting', 'due', 'late'].map((state) => read(`agio_followed_transactions{state="${state}"}`))
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }
  const { id } = await create()
  const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
  webhooks.receiver.setAnswer((_, response) => void answering.then(() => response.writeHead(204).end()))
  await broadcast()
  await expect.poll(() => read('agio_webhook_backlog{state="due"}'), eventually).toBe(1)
  await expect.poll(() => read('agio_webhook_backlog_oldest_seconds{state="due"}'), eventually).toBeGreaterThan(1)
  expect(await countFollowed()).toBeGreaterThan(0)
  answer()
  await expectDeliveries(id, [{ status: 'delivered' }])
  await expect.poll(() => read('agio_webhook_backlog{state="due"}'), eventually).toBe(0)
  expect(await read('agio_webhook_backlog_oldest_seconds{state="due"}')).toBe(0)
})

describe('the secret of a webhook', () => {
  it('after a rotation messages are signed by both secrets, and no list contains a secret', async () => {
    const { id, secret } = await create()
    const { data: rotated } = await call('webhooks.rotate', { id })
    expect(rotated).toMatchObject({ id, oldSecretExpiresAt: expect.any(String) as string })
    await broadcast()
    await expectTypes(['transaction.included'])
    const secrets = [String(rotated?.['secret']), secret]
    for (const message of webhooks.receiver.messages) expectSigned(message, secrets)
    const lists = await Promise.all([call('webhooks.list', {}), call('webhooks.deliveries', { id })])
    for (const each of secrets) expect(JSON.stringify(lists)).not.toContain(each.slice('whsec_'.length))
  })
})

describe('a webhook with the signature v1a', () => {
  it('a receiver with only the public key verifies messages, with both keys after a rotation', async () => {
    const created = await call('webhooks.create', { url: webhooks.receiver.url, signature: 'v1a' })
    const { id, publicKey } = created.data as { readonly id: string; readonly publicKey: string }
    const rotated = await call('webhooks.rotate', { id })
    const listed = await call('webhooks.list', {})
    expect(listed.data?.['webhooks']).toMatchObject([{ id, signature: 'v1a', publicKey: rotated.data?.['publicKey'] }])
    expect(JSON.stringify([created, rotated, listed])).not.toMatch(/whsk_|"secret"/)
    await broadcast()
    await expectTypes(['transaction.included'])
    for (const { body, headers } of webhooks.receiver.messages) {
      expect(headers['webhook-signature']).toMatch(/^v1a,\S+ v1a,\S+$/)
      // By the code of the guide.
      for (const each of [String(rotated.data?.['publicKey']), publicKey]) {
        expect(isVerified(body, headers, [each])).toBe(true)
        expect(isVerified(`${body} `, headers, [each])).toBe(false)
      }
    }
  })

  it('error: svc/invalid-request for an unknown signature', async () => {
    const outcome = await call('webhooks.create', { url: webhooks.receiver.url, signature: 'v2' })
    expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field: 'signature' } })
  })
})

describe('a test event', () => {
  it('a test event reaches a webhook of other events, signed, and only on request', async () => {
    const { id, secret } = await create({ events: ['market.stale'] })
    const sent = await call('webhooks.test', { id })
    expect(sent).toMatchObject({ status: 200, data: { type: 'webhook.test', status: 'pending', attempts: 0 } })
    await expectDeliveries(id, [{ id: sent.data?.['id'], type: 'webhook.test', status: 'delivered', lastStatus: 204 }])
    const [message] = webhooks.receiver.messages
    expectSigned(message as NonNullable<typeof message>, [secret])
    expect(JSON.parse(String(message?.body))).toMatchObject({ type: 'webhook.test', data: { webhookId: id } })
    const refused = { status: 400, failure: { code: 'svc/invalid-request' } }
    expect(await call('webhooks.create', { url: webhooks.receiver.url, events: ['webhook.test'] })).toMatchObject(
      refused,
    )
  })

  it('the test event of a disabled webhook is given up at once', async () => {
    const { id } = await create()
    webhooks.receiver.setAnswer(status(410))
    await call('webhooks.test', { id })
    await expectDeliveries(id, [{ status: 'given-up', lastError: 'status-410' }])
    expect(await call('webhooks.test', { id })).toMatchObject({ data: { status: 'given-up', lastError: 'disabled' } })
    expect(webhooks.receiver.messages).toHaveLength(1)
  })
})

describe('a key', () => {
  it('error: webhooks of another key are svc/webhook-not-found', async () => {
    const { id } = await create()
    const other = await createAdminClient(webhooks.stack.url).issue(roomy)
    const callOther = createRestCaller({ url: webhooks.stack.url, apiKey: other.key })
    for (const name of ['delete', 'rotate', 'deliveries', 'replay', 'test']) {
      const operation = `webhooks.${name}`
      const outcome = await callOther(operation, { id })
      expect(outcome, operation).toMatchObject({ status: 404, failure: { code: 'svc/webhook-not-found' } })
    }
    expect((await callOther('webhooks.list', {})).data).toEqual({ webhooks: [] })
  })

  it.each([
    ['a revoked key', async () => await createAdminClient(webhooks.stack.url).revoke(webhooks.key.id)],
    ['a deleted webhook', async (id: string) => void (await call('webhooks.delete', { id }))],
  ])('%s receives nothing more', async (_, end) => {
    const { id } = await create()
    const { hash } = await broadcast()
    await expectTypes(['transaction.included'])
    await end(id)
    await finalizeForAnother(hash)
    expect(webhooks.receiver.types()).toEqual(['transaction.included'])
  })
})
