import { onTestFinished } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { operatorKeys } from '../harness/settingsFor.ts'
import { callBoth, sendBoth, type Case, type Cases } from './callBoth.ts'

const roomy = { requests: 1000, windowSeconds: 3600, burstPerSecond: 1000, monthlyQuota: 1000 }
const listPools = ['pools.list', {}] as const

/** Calls with a new key that has restrictions. */
const withKey =
  (restrictions: object): Case =>
  async ({ served }) => {
    const { key } = await createAdminClient(served.url).issueWith(restrictions)
    return await callBoth(served.url, listPools, key)
  }

/** Calls with a new key whose limits admit one call, which was made. */
const afterOneCall =
  (limits: Partial<typeof roomy>): Case =>
  async ({ served }) => {
    const { key } = await createAdminClient(served.url).issue({ ...roomy, ...limits })
    await fetch(`${served.url}/api/v1/pools`, { headers: { 'x-api-key': key } })
    return await callBoth(served.url, listPools, key)
  }

/** The codes of keys and limits, and of an unavailable or damaged database. */
export const keyCases = {
  'svc/unauthorized': ({ served }) => callBoth(served.url, listPools, 'an-unknown-key'),
  async 'svc/key-revoked'({ served }) {
    const { id, key } = await createAdminClient(served.url).issue()
    await createAdminClient(served.url).revoke(id)
    return await callBoth(served.url, listPools, key)
  },
  async 'svc/forbidden-role'({ served }) {
    const headers = { 'x-admin-key': operatorKeys.read, 'content-type': 'application/json' }
    const rotate = { method: 'POST', headers, body: '{}' }
    const rest = { ...rotate, path: '/api/v1/admin/quotes/rotate-secret', operation: 'admin.quotes.rotateSecret' }
    return await sendBoth(served.url, rest, { ...rotate, path: '/trpc/admin.quotes.rotateSecret' })
  },
  async 'svc/key-expired'({ served }) {
    const { id, key } = await createAdminClient(served.url).issueWith({})
    // The service refuses a time in the past.
    await served.database.query(`update api_keys set expires_at = now() where id = '${id}'`)
    return await callBoth(served.url, listPools, key)
  },
  'svc/address-forbidden': withKey({ allowedCidrs: ['192.0.2.0/24'] }),
  'svc/origin-forbidden': withKey({ allowedOrigins: ['https://shop.example'] }),
  'svc/forbidden-scope': withKey({ scopes: ['usage'] }),
  'svc/rate-limited': afterOneCall({ requests: 1 }),
  'svc/quota-exceeded': afterOneCall({ monthlyQuota: 1 }),
  async 'svc/storage-unavailable'({ served }) {
    await served.toDatabase.cut()
    onTestFinished(served.toDatabase.restore)
    return await callBoth(served.url, listPools, 'a-key-to-look-up')
  },
  /** An unforeseen mistake of an operator: a renamed table. */
  async 'svc/internal'({ served }) {
    await served.database.query('alter table api_secrets rename to api_secrets_moved')
    onTestFinished(
      async () => void (await served.database.query('alter table api_secrets_moved rename to api_secrets')),
    )
    return await callBoth(served.url, listPools, 'another-key-to-look-up')
  },
} as const satisfies Cases
