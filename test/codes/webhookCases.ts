import { randomBytes } from 'node:crypto'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { callBoth, sendBoth } from './callBoth.ts'
import type { Cases } from './Case.ts'

const roomy = { requests: 1000, windowSeconds: 3600, burstPerSecond: 1000, monthlyQuota: 1000 }
const webhook = { url: 'https://shop.example/webhooks' }

/** Creates a webhook over REST and tRPC, with an idempotency key. */
async function createWithKey(url: string, apiKey: string, idempotencyKey: string, input: object) {
  const headers = { 'x-api-key': apiKey, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify(input) }
  const rest = { ...sent, path: '/api/v1/webhooks', operation: 'webhooks.create' }
  return await sendBoth(url, rest, { ...sent, path: '/trpc/webhooks.create' })
}

/** The codes of webhooks, and of the idempotency keys of their creation. */
export const webhookCases = {
  async 'svc/webhook-not-found'({ served: { url } }) {
    const { key } = await createAdminClient(url).issue(roomy)
    return await callBoth(url, ['webhooks.deliveries', { id: 'wh_unknown' }], key)
  },
  async 'svc/webhook-limit'({ served: { url } }) {
    const { key } = await createAdminClient(url).issue(roomy)
    const call = createRestCaller({ url, apiKey: key })
    for (let count = 0; count < 10; count += 1) await call('webhooks.create', webhook)
    return await callBoth(url, ['webhooks.create', webhook], key)
  },
  /** The database holds back the response of the first creation. */
  async 'svc/idempotency-key-in-use'({ served: { url, toDatabase } }) {
    const { key } = await createAdminClient(url).issue(roomy)
    const idempotencyKey = randomBytes(16).toString('hex')
    const headers = { 'x-api-key': key, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' }
    const kept = toDatabase.keepAnswer('insert into "webhooks"')
    const first = fetch(`${url}/api/v1/webhooks`, { method: 'POST', headers, body: JSON.stringify(webhook) })
    const answer = await kept
    const refused = await createWithKey(url, key, idempotencyKey, webhook)
    answer.pass()
    await first
    return refused
  },
  async 'svc/idempotency-key-reused'({ served: { url } }) {
    const { key } = await createAdminClient(url).issue(roomy)
    const idempotencyKey = randomBytes(16).toString('hex')
    const headers = { 'x-api-key': key, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' }
    await fetch(`${url}/api/v1/webhooks`, { method: 'POST', headers, body: JSON.stringify(webhook) })
    return await createWithKey(url, key, idempotencyKey, { url: 'https://shop.example/others' })
  },
} as const satisfies Cases
