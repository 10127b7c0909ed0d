import { readFile } from 'node:fs/promises'

/** Counts the events for the webhook of a cursor, delivered or not. */
export async function countDeliveries(url: string, cursor: string): Promise<number> {
  const { webhookId } = JSON.parse(await readFile(cursor, 'utf8')) as { readonly webhookId: string }
  const headers = { 'x-api-key': 'local-key' }
  const response = await fetch(`${url}/api/v1/webhooks/${webhookId}/deliveries`, { headers })
  const { data } = (await response.json()) as { readonly data: { readonly deliveries: readonly unknown[] } }
  return data.deliveries.length
}
