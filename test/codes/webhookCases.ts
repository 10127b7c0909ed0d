import { createRestCaller } from '../harness/createRestCaller.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { callBoth } from './callBoth.ts'
import type { Cases } from './Case.ts'

const roomy = { requests: 1000, windowSeconds: 3600, burstPerSecond: 1000, monthlyQuota: 1000 }
const webhook = { url: 'https://shop.example/webhooks' }

/** The codes of webhooks. */
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
} as const satisfies Cases
