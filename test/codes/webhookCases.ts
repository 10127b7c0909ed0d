import { randomBytes } from 'node:crypto'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { callBoth, sendBoth, type Cases } from './callBoth.ts'

const roomy = { requests: 1000, windowSeconds: 3600, burstPerSecond: 1000, monthlyQuota: 1000 }
const webhook = { url: 'https://shop.example/webhooks' }

/** The creation of a webhook with an idempotency key, by a new key. */
async function prepareCreation(url: string) {
  const { key } = await createAdminClient(url).issue(roomy)
  const idempotencyKey = randomBytes(16).toString('hex')
  const headers = { 'x-api-key': key, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' }
  const toRequest = (input: object) => ({ method: 'POST', headers, body: JSON.stringify(input) })
  return {
    create: () => fetch(`${url}/api/v1/webhooks`, toRequest(webhook)),
    /** Sends another over REST and tRPC. */
    async createBoth(input: object) {
      const rest = { ...toRequest(input), path: '/api/v1/webhooks', operation: 'webhooks.create' }
      return await sendBoth(url, rest, { ...toRequest(input), path: '/trpc/webhooks.create' })
    },
  }
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
    const { create, createBoth } = await prepareCreation(url)
    const kept = toDatabase.keepAnswer('insert into "webhooks"')
    const first = create()
    const answer = await kept
    const refused = await createBoth(webhook)
    answer.pass()
    await first
    return refused
  },
  async 'svc/idempotency-key-reused'({ served: { url } }) {
    const { create, createBoth } = await prepareCreation(url)
    await create()
    return await createBoth({ url: 'https://shop.example/others' })
  },
} as const satisfies Cases
