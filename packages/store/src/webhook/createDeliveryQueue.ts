import { randomUUID } from 'node:crypto'
import type { ServiceError } from '@agio/core'
import { and, eq, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { inMs, leaseFor, systemTime } from '../database/sqlTime.ts'
import { apiKeys, webhookDeliveries, webhooks } from '../database/schema.ts'
import { isReadable, webhookCell, type Keyring } from '../encryption/createKeyring.ts'
import { touchKey } from './createWebhooks.ts'
import { deleteEndedWebhookRows } from './deleteEndedWebhookRows.ts'
import type { AttemptResult, ClaimedDelivery } from './Webhook.ts'

// A slow or silent receiver does not delay other receivers. Claims at the same moment choose the same deliveries, so they
// exceed the limits together only by deliveries that became due between them.
const maxInFlight = 4
// The receivers of one key do not delay the receivers of other keys.
const maxInFlightOfKey = 8
/** The subject of the test events of a webhook. */
export const testSubject = 'test'

const disabledAfter = sql.raw("interval '3 days'")

/**
 * Divides due deliveries among the processes of a database. A delivery is due only if no earlier delivery of the same
 * webhook and subject is pending. A claim is a lease: sending holds no lock and no transaction. A process claims only
 * deliveries of webhooks whose master key it has.
 */
export function createDeliveryQueue({
  db,
  transact,
  assertWritable,
  keyring,
}: Database & { readonly keyring: Keyring }) {
  return {
    /** Claims due deliveries, each for one process until its lease ends. */
    async claim({ limit, leaseMs }: { readonly limit: number; readonly leaseMs: number }) {
      await assertWritable()
      const claim = randomUUID()
      const rows = await db
        .update(webhookDeliveries)
        .set({ leaseOwner: claim, leaseUntil: leaseFor(leaseMs) })
        .from(webhooks)
        .where(
          and(
            eq(webhooks.id, webhookDeliveries.webhookId),
            sql`${webhookDeliveries.id} in (${listDue(limit, keyring)})`,
          ),
        )
        .returning({ ...claimed, position: webhookDeliveries.position })
      return rows
        .toSorted((a, b) => a.position - b.position)
        .map(({ webhookId, secret, oldSecret, position: _, ...row }) => ({
          ...row,
          claim,
          ...decryptSecrets({ webhookId, secret, oldSecret }, keyring),
        }))
    },
    /**
     * Records an attempt, unless its lease was lost.
     *
     * @returns the outcome of the delivery, and whether it disabled the webhook
     */
    async finish(delivery: ClaimedDelivery, result: AttemptResult): Promise<FinishedAttempt> {
      return await transact((tx) => finishAttempt(tx, delivery, result))
    },
    /** Ends a claim without an attempt, so that any process may send the delivery. */
    async release({ id, claim }: ClaimedDelivery): Promise<void> {
      await db
        .update(webhookDeliveries)
        .set({ leaseOwner: null, leaseUntil: null })
        .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.leaseOwner, claim)))
    },
    /**
     * Deletes old rows that have ended, in bounded batches.
     *
     * @param deliveryDays days for which ended deliveries are kept. If undefined, given-up deliveries are kept
     * @param signal ends the deletion after the current batch
     */
    async clean(deliveryDays: number | undefined, signal?: AbortSignal): Promise<void> {
      await assertWritable()
      await deleteEndedWebhookRows(db, { deliveryDays, signal })
    },
  }
}

/** The outcome of an attempt; `lost` if another process has claimed the delivery, or it was deleted. */
export type FinishedAttempt = 'delivered' | 'retried' | 'given-up' | 'disabled' | 'lost'

const claimed = {
  id: webhookDeliveries.id,
  type: webhookDeliveries.type,
  payload: webhookDeliveries.payload,
  traceparent: webhookDeliveries.traceparent,
  attempts: webhookDeliveries.attempts,
  url: webhooks.url,
  webhookId: webhooks.id,
  secret: webhooks.secret,
  oldSecret: sql<string | null>`case when ${webhooks.oldSecretExpiresAt} > now() then ${webhooks.oldSecret} end`,
}

type StoredSecrets = { readonly webhookId: string; readonly secret: string; readonly oldSecret: string | null }

/** Returns the secrets of a webhook, or why they cannot be decrypted. */
function decryptSecrets(
  { webhookId, secret, oldSecret }: StoredSecrets,
  { decrypt }: Keyring,
): Pick<ClaimedDelivery, 'secrets' | 'unreadable'> {
  try {
    const current = decrypt(secret, webhookCell(webhookId, 'secret'))
    if (oldSecret === null) return { secrets: [current] }
    return { secrets: [current, decrypt(oldSecret, webhookCell(webhookId, 'old_secret'))] }
  } catch (error) {
    return { secrets: [], unreadable: error as ServiceError }
  }
}

/**
 * Selects the ids of due deliveries: the oldest of each webhook, up to the number that the webhook and its key may have
 * in flight. Keys take turns, so that a key with many due deliveries does not delay another key.
 *
 * Test events in flight are not counted: they must not delay other events.
 *
 * A claim reads one index entry for each webhook with pending deliveries. Then it reads the first due deliveries of each
 * webhook in the order of an index. A query with a window function cannot lock rows, so another query locks the chosen ones.
 * That query skips deliveries that another claim has locked. It checks again that the others are due and free. Twice the limit
 * is chosen, so that two claims at the same moment both get deliveries.
 */
function listDue(limit: number, keyring: Keyring): SQL {
  const delivery = webhookDeliveries
  const isFree = sql`${delivery.status} = 'pending' and (${delivery.leaseUntil} is null or ${delivery.leaseUntil} < ${systemTime})`
  const isDue = sql`${delivery.dueAt} <= now() and ${isFree}`
  const isLeased = sql`leased.status = 'pending' and leased.lease_until is not null and leased.lease_until > ${systemTime}`
  // In the order of their index, so that no plan reads other deliveries, not even before the first statistics.
  const firstOfSubject = sql`
    select first.id from ${delivery} as first
    where first.status = 'pending' and (first.webhook_id, first.subject) >= (${delivery.webhookId}, ${delivery.subject})
    order by first.webhook_id, first.subject, first.position limit 1`
  // Materialized, so that no plan evaluates a limit or a count more than once.
  return sql`
    with recursive waiting as (
      (select webhook_id from ${delivery} where status = 'pending' order by webhook_id limit 1)
      union all
      select (select ${delivery.webhookId} from ${delivery} where status = 'pending' and ${delivery.webhookId} > waiting.webhook_id order by webhook_id limit 1)
      from waiting where waiting.webhook_id is not null
    ),
    in_flight as materialized (
      select webhook.id as webhook_id, counted.of_webhook, sum(counted.of_webhook) over (partition by webhook.key_id) as of_key
      from waiting join ${webhooks} as webhook on webhook.id = waiting.webhook_id
      cross join lateral (
        select count(*) as of_webhook from ${delivery} as leased where leased.webhook_id = webhook.id and ${isLeased} and leased.subject <> ${testSubject}
      ) as counted
    ),
    ranked as materialized (
      select due.id, due.due_at, in_flight.of_key + row_number() over (partition by webhook.key_id order by due.due_at) as place
      from in_flight join ${webhooks} as webhook on webhook.id = in_flight.webhook_id and webhook.disabled_at is null
        and ${isReadable(sql`webhook.secret`, keyring)}
      join ${apiKeys} as key on key.id = webhook.key_id and key.revoked_at is null
        and (key.expires_at is null or key.expires_at > now())
      cross join lateral (
        select ${delivery.id}, ${delivery.dueAt} from ${delivery}
        where ${delivery.webhookId} = webhook.id and ${isDue} and ${delivery.id} = (${firstOfSubject})
        order by ${delivery.dueAt}
        limit greatest(0, ${maxInFlight} - in_flight.of_webhook)
      ) as due
    ),
    chosen as materialized (
      select id, place, due_at from ranked where place <= ${maxInFlightOfKey} order by place, due_at limit ${2 * limit}
    ),
    listed as materialized (
      select ${delivery.id} from chosen join ${delivery} on ${delivery.id} = chosen.id and ${isDue}
      order by chosen.place, chosen.due_at limit ${limit}
      for update of ${delivery} skip locked
    )
    select id from listed`
}

type Attempt = Pick<ClaimedDelivery, 'id' | 'claim'>

async function finishAttempt(
  tx: Database['db'],
  { id, claim }: Attempt,
  result: AttemptResult,
): Promise<FinishedAttempt> {
  const webhookId = await lockWebhookOf(tx, id)
  if (webhookId === undefined) return 'lost'
  const isClaimed = and(
    eq(webhookDeliveries.id, id),
    eq(webhookDeliveries.leaseOwner, claim),
    eq(webhookDeliveries.status, 'pending'),
  )
  const [finished] = await tx.update(webhookDeliveries).set(toAttempted(result)).where(isClaimed).returning()
  if (!finished) return 'lost'
  const isLaterOfSubject = and(
    eq(webhookDeliveries.webhookId, webhookId),
    eq(webhookDeliveries.subject, finished.subject),
    eq(webhookDeliveries.status, 'pending'),
    gt(webhookDeliveries.position, finished.position),
  )
  // Later deliveries of the subject wait until this delivery is due again, so the query for due deliveries skips them.
  await tx
    .update(webhookDeliveries)
    .set({ dueAt: finished.status === 'pending' ? finished.dueAt : sql`now()` })
    .where(isLaterOfSubject)
  const reason = await updateWebhook(tx, webhookId, result)
  if (reason) await disable(tx, webhookId, reason)
  if (reason) return 'disabled'
  return finished.status === 'pending' ? 'retried' : finished.status
}

// A statement that changes several deliveries of a webhook first locks the webhook, so that two statements cannot
// deadlock.
async function lockWebhookOf(tx: Database['db'], deliveryId: string): Promise<string | undefined> {
  const ofDelivery = tx
    .select({ id: webhookDeliveries.webhookId })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.id, deliveryId))
  const found = await tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(inArray(webhooks.id, ofDelivery))
    .for('update')
  return found[0]?.id
}

function toAttempted(result: AttemptResult) {
  const attempted = {
    attempts: sql`${webhookDeliveries.attempts} + 1`,
    lastAttemptAt: sql`now()`,
    lastStatus: result.status ?? null,
    leaseOwner: null,
    leaseUntil: null,
  }
  if (result.outcome === 'delivered') {
    return { ...attempted, status: 'delivered', endedAt: sql`now()`, lastError: null } as const
  }
  const lastError = result.outcome === 'gone' ? 'status-410' : result.error
  if (result.outcome === 'failed' && result.retryInMs !== undefined) {
    return { ...attempted, lastError, dueAt: inMs(result.retryInMs) } as const
  }
  return { ...attempted, lastError, status: 'given-up', endedAt: sql`now()` } as const
}

/** Records since when a webhook has been failing. Returns the reason if this disables the webhook. */
async function updateWebhook(
  tx: Database['db'],
  id: string,
  { outcome }: AttemptResult,
): Promise<'gone' | 'failing' | undefined> {
  if (outcome === 'delivered') {
    await tx.update(webhooks).set({ failingSince: null }).where(eq(webhooks.id, id))
    return undefined
  }
  const [failing] = await tx
    .update(webhooks)
    .set({ failingSince: sql`coalesce(${webhooks.failingSince}, now())` })
    .where(eq(webhooks.id, id))
    .returning({ isOver: sql<boolean>`${webhooks.failingSince} < now() - ${disabledAfter}` })
  if (outcome === 'gone') return 'gone'
  return failing?.isOver === true ? 'failing' : undefined
}

async function disable(tx: Database['db'], id: string, reason: 'gone' | 'failing'): Promise<void> {
  const disabled = { disabledAt: sql`now()`, disabledReason: reason }
  const [webhook] = await tx
    .update(webhooks)
    .set(disabled)
    .where(and(eq(webhooks.id, id), isNull(webhooks.disabledAt)))
    .returning({ keyId: webhooks.keyId })
  if (webhook) await touchKey(tx, webhook.keyId)
  await tx
    .update(webhookDeliveries)
    .set({ status: 'given-up', endedAt: sql`now()`, leaseOwner: null, leaseUntil: null })
    .where(and(eq(webhookDeliveries.webhookId, id), eq(webhookDeliveries.status, 'pending')))
}
