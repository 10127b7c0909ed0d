import { request } from 'undici'
import { adminKey } from './settingsFor.ts'

const application = { name: 'Shop', email: 'dev@shop.example', useCase: 'payouts', expectedVolume: '1,000 a day' }

/** A client of the operations that need the admin key, over REST. */
export function createAdminClient(url: string, key = adminKey) {
  async function call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await request(`${url}/api/v1/admin/${path}`, {
      method,
      headers: { 'x-admin-key': key, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    })
    const answer = (await response.body.json()) as { success: boolean; data: Record<string, unknown>; error: string }
    if (!answer.success) throw new Error(answer.error)
    return answer.data
  }
  return {
    /** Issues a key, of the tier `production` if limits are given. */
    async issue(limits?: Limits): Promise<Issued> {
      const tier = limits ? { tier: 'production', limits } : {}
      return (await call('POST', 'keys', { ...application, ...tier })) as Issued
    },
    /** Issues a key with fields in addition to those of an application, such as restrictions. */
    issueWith: async (fields: object) => (await call('POST', 'keys', { ...application, ...fields })) as Issued,
    update: (id: string, changes: object) => call('PATCH', `keys/${id}`, changes),
    rotate: async (id: string, overlapSeconds?: number) =>
      (await call('POST', `keys/${id}/rotate`, overlapSeconds === undefined ? {} : { overlapSeconds })) as Issued,
    revoke: (id: string) => call('POST', `keys/${id}/revoke`),
    pauseQuotes: (pair: object) => call('POST', 'quotes/pause', pair),
    stats: async (month?: string) =>
      (await call('GET', `stats${month === undefined ? '' : `?month=${month}`}`)) as unknown as Stats,
    /** The usage of one key this month. */
    async statsOf(id: string): Promise<Stats['keys'][number]> {
      const found = (await this.stats()).keys.find((key) => key.id === id)
      if (!found) throw new Error(`Cannot find key ${id} in the stats`)
      return found
    },
  }
}

type Limits = {
  readonly requests: number
  readonly windowSeconds: number
  readonly burstPerSecond: number
  readonly monthlyQuota: number
  readonly streams?: number
}

type Issued = { readonly id: string; readonly key: string; readonly prefix: string }

type Stats = {
  readonly month: string
  readonly totals: { readonly calls: number; readonly refused: number }
  readonly keys: readonly {
    readonly id: string
    readonly calls: number
    readonly refused: number
    readonly callsByOperation: Readonly<Record<string, number>>
    readonly days: readonly { readonly day: string; readonly calls: number; readonly refused: number }[]
    readonly lastUsedAt?: string
    readonly quota?: number
    readonly remaining?: number
  }[]
}
