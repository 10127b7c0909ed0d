import { createKeyring, createKeys, openDatabase, openWebhooks, type Database } from '@agio/store/testing'
import { listDatabases } from './listDatabases.ts'
import { actor, shop } from './shop.ts'

/** The databases that the tests run on. */
export const databases = await listDatabases('the queues of webhooks')

/** The URL of a receiver that is never called. */
export const url = 'https://shop.example/hooks'

/** The events that the webhooks receive. */
export const types = ['transaction.included', 'transaction.finalized', 'market.stale']

/** The hash of the followed transaction. */
export const hash = `0x${'ab'.repeat(32)}` as const

/** A claim whose lease outlasts a test. */
export const later = { limit: 10, leaseMs: 60_000 }

/** A page of all deliveries. */
export const all = { status: undefined, before: undefined, limit: 100 }

/** Opens a database for two processes, with one key and its webhook. */
export async function open(location: Parameters<typeof openDatabase>[0]) {
  const database: Database = await openDatabase(location)
  const stored = { ...database, keyring: createKeyring([]) }
  const [one, other] = [openWebhooks(stored), openWebhooks(stored)]
  const keys = createKeys(database)
  const { key } = await keys.create(shop, actor)
  const { id: webhookId, secret } = await one.create(key.id, { url, events: types })
  const read = async (text: string) => ((await database.db.execute(text)) as { readonly rows: unknown }).rows
  const run = async (text: string) => void (await read(text))
  let events = 0
  /** Records an event for each subject, by the watch of a transaction. */
  const addEvents = async (subjects: readonly string[]) => {
    for (const subject of subjects) {
      const payload = `${subject} ${events}`
      const digit = subject.charCodeAt(0).toString(16)
      const watch = { keyId: key.id, chainId: 84532, transactionHash: `0x${digit.repeat(32)}` } as const
      await one.follow(watch)
      await one.startObserving(watch)
      const head = { hash: `${events}`, number: BigInt(events) }
      const claims = await one.observations.claim({ chainId: 84532, head, limit: 9, leaseMs: 1000 })
      for (const claim of claims) {
        const isOwn = claim.transactionHash === watch.transactionHash
        const event = isOwn ? { type: 'transaction.included', payload } : undefined
        await one.observations.record(claim, { cursor: '', state: { status: 'included' }, head, nextInMs: 0, event })
      }
      events += 1
    }
  }
  const dispose = () => database.close()
  return { one, other, keys, keyId: key.id, webhookId, secret, read, run, addEvents, [Symbol.asyncDispose]: dispose }
}
