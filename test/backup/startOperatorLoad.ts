import type { LocalChain } from '@agio/localnet'
import { expect } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { validInputs } from '../harness/validInputs.ts'

/**
 * Creates keys with webhooks, deliveries, quotes and calls, one after the other by several clients, until it ends. Some webhooks have
 * a receiver that is gone.
 */
export function startOperatorLoad(url: string, chain: LocalChain, receiverUrl: string) {
  const admin = createAdminClient(url)
  const customers: Customer[] = []
  const ending = new AbortController()
  let added = 0
  const input = { ...validInputs(chain)['convert.quote'], validForSeconds: 600 }
  async function addCustomer(): Promise<void> {
    const { id, key } = await admin.issue(roomy)
    const { call, count } = countCalls(createRestCaller({ url, apiKey: key }))
    const number = ++added
    const path = number % 4 === 0 ? 'gone' : 'hooks'
    const events = [number % 2 === 0 ? 'transaction.included' : 'transaction.finalized']
    const { data: webhook } = await call('webhooks.create', { url: `${receiverUrl}/${path}/${number}`, events })
    const webhookId = String(webhook?.['id'])
    const { data: quoted } = await call('convert.quote', input)
    await call('webhooks.test', { id: webhookId })
    // What is still in flight would differ between a copy and its source.
    const listPending = () => call('webhooks.deliveries', { id: webhookId, status: 'pending' })
    await expect.poll(listPending, eventually).toMatchObject({ data: { deliveries: [] } })
    customers.push({ id, key, webhookId, quote: String(quoted?.['quote']), calls: count() })
  }
  const clients = Array.from({ length: 2 }, async () => {
    while (!ending.signal.aborted) await addCustomer()
  })
  return {
    /** The customers that have received an answer to every call. */
    list: (): readonly Customer[] => [...customers],
    async end(): Promise<readonly Customer[]> {
      ending.abort()
      await Promise.all(clients)
      return customers
    },
  }
}

/** Returns a caller that counts its calls. */
function countCalls(caller: Caller) {
  let calls = 0
  const call: Caller = (operation, input) => {
    calls += 1
    return caller(operation, input)
  }
  return { call, count: () => calls }
}

const roomy = { requests: 100_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 1_000_000 }

/** A key with one webhook, one delivery and one quote. */
export type Customer = {
  readonly id: string
  readonly key: string
  readonly webhookId: string
  readonly quote: string
  /** The calls that were counted. */
  readonly calls: number
}

/** Reads what a service returns of a customer: counted calls, webhooks, deliveries, and the transaction that its quote builds. */
export async function readCustomer(url: string, { key, quote, webhookId }: Customer, userAddress: string) {
  const call = createRestCaller({ url, apiKey: key })
  const { data: usage } = await call('usage.get', {})
  const { data: webhooks } = await call('webhooks.list', {})
  const { data: deliveries } = await call('webhooks.deliveries', { id: webhookId })
  const { status, data: built } = await call('transaction.buildConvert', { quote, userAddress })
  const { to, value, data } = built ?? {}
  return { usage, webhooks, deliveries, built: { status, to, value, data } }
}

/** Returns the status of a read with a key. */
export async function readStatus(url: string, key = apiKey): Promise<number> {
  return (await createRestCaller({ url, apiKey: key })('chains.list', {})).status
}
