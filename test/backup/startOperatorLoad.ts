import type { LocalChain } from '@agio/localnet'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { validInputs } from '../harness/validInputs.ts'

/** Creates keys with webhooks, quotes and calls, one after the other by several clients, until it ends. */
export function startOperatorLoad(url: string, chain: LocalChain) {
  const admin = createAdminClient(url)
  const customers: Customer[] = []
  const ending = new AbortController()
  const input = { ...validInputs(chain)['convert.quote'], validForSeconds: 600 }
  async function addCustomer(): Promise<void> {
    const { id, key } = await admin.issue()
    const call = createRestCaller({ url, apiKey: key })
    const { data: webhook } = await call('webhooks.create', receiver)
    const { data: quoted } = await call('convert.quote', input)
    customers.push({ id, key, webhookId: String(webhook?.['id']), quote: String(quoted?.['quote']) })
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

const receiver = { url: 'https://shop.example/hooks', events: ['transaction.included'] }

/** A key with one webhook and one quote, and two counted calls. */
export type Customer = {
  readonly id: string
  readonly key: string
  readonly webhookId: string
  readonly quote: string
}

/** Reads what a service knows of a customer: its webhooks, its counted calls, and whether its quote is accepted. */
export async function readCustomer(url: string, { key, quote }: Customer, userAddress: string) {
  const call = createRestCaller({ url, apiKey: key })
  const { data: usage } = await call('usage.get', {})
  const { data } = await call('webhooks.list', {})
  const webhooks = (data?.['webhooks'] ?? []) as readonly { readonly id: string }[]
  const built = await call('transaction.buildConvert', { quote, userAddress })
  return { calls: Number(usage?.['calls']), webhooks: webhooks.map((webhook) => webhook.id), buildStatus: built.status }
}

/** Returns the status of a read with a key. */
export async function readStatus(url: string, key = apiKey): Promise<number> {
  return (await createRestCaller({ url, apiKey: key })('chains.list', {})).status
}
