import { randomUUID } from 'node:crypto'
import type { ServiceError } from '@agio/core'
import { and, eq, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { inMs, leaseFor, systemTime } from '../database/sqlTime.ts'
import { apiKeys, webhookDeliveries, webhooks } from '../database/schema.ts'
import { isReadable, webhookCell, type Keyring } from '../encryption/createKeyring.ts'
import { deleteEndedWebhookRows } from './deleteEndedWebhookRows.ts'
import type { AttemptResult, ClaimedDelivery } from './Webhook.ts'

// A slow or silent receiver does not delay other receivers. Processes that claim at the same moment may exceed this
// limit together.
const maxInFlight = 4
// The receivers of one key do not delay the receivers of other keys.
const maxInFlightOfKey = 8
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
}: Database & { readonly keyring: Keyring }): DeliveryQueue {
  return {
    async claim({ limit, leaseMs }) {
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
    async finish(delivery, result) {
      return await transact((tx) => finishAttempt(tx, delivery, result))
    },
    async release({ id, claim }) {
      await db
        .update(webhookDeliveries)
        .set({ leaseOwner: null, leaseUntil: null })
        .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.leaseOwner, claim)))
    },
    async clean(deliveryDays) {
      await assertWritable()
      await deleteEndedWebhookRows(db, deliveryDays)
    },
  }
}

/** The queue of webhook deliveries that the processes of a database share. */
export type DeliveryQueue = {
  /** Claims due deliveries, each for one process until its lease ends. */
  claim(request: { readonly limit: number; readonly leaseMs: number }): Promise<readonly ClaimedDelivery[]>
  /**
   * Records an attempt, unless its lease was lost.
   *
   * @returns the outcome of the delivery, and whether it disabled the webhook
   */
  finish(delivery: ClaimedDelivery, result: AttemptResult): Promise<FinishedAttempt>
  /** Ends a claim without an attempt, so that any process may send the delivery. */
  release(delivery: ClaimedDelivery): Promise<void>
  /** Deletes old rows that have ended, in bounded batches. @param deliveryDays how long deliveries are kept */
  clean(deliveryDays: number): Promise<void>
}

/** The outcome of an attempt; `lost` if another process has claimed the delivery, or it was deleted. */
export type FinishedAttempt = 'delivered' | 'retried' | 'given-up' | 'disabled' | 'lost'

const claimed = {
  id: webhookDeliveries.id,
  type: webhookDeliveries.type,
  payload: webhookDeliveries.payload,
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
 */
function listDue(limit: number, keyring: Keyring): SQL {
  // Materialized, so that no plan evaluates the limit more than once.
  return sql`
    with ranked as materialized (select due.id, due.due_at, due.position,
      row_number() over (partition by webhook.key_id order by due.due_at, due.position) + (
        select count(*) from ${webhookDeliveries} as leased join ${webhooks} as own on own.id = leased.webhook_id
        where own.key_id = webhook.key_id and leased.status = 'pending' and leased.lease_until is not null
          and leased.lease_until > ${systemTime}
      ) as place
    from ${webhooks} as webhook join ${apiKeys} as key on key.id = webhook.key_id and key.revoked_at is null
      and (key.expires_at is null or key.expires_at > now())
    cross join lateral (
      select delivery.id, delivery.due_at, delivery.position from ${webhookDeliveries} as delivery
      where delivery.webhook_id = webhook.id and delivery.status = 'pending' and delivery.due_at <= now()
        and (delivery.lease_until is null or delivery.lease_until < ${systemTime})
        and not exists (
          select from ${webhookDeliveries} as earlier
          where earlier.webhook_id = delivery.webhook_id and earlier.subject = delivery.subject
            and earlier.position < delivery.position and earlier.status = 'pending'
        )
      order by delivery.due_at, delivery.position
      limit greatest(0, ${maxInFlight} - (
        select count(*) from ${webhookDeliveries} as leased
        where leased.webhook_id = webhook.id and leased.status = 'pending' and leased.lease_until is not null
          and leased.lease_until > ${systemTime}
      ))
      for update skip locked
    ) as due
    where webhook.disabled_at is null and ${isReadable(sql`webhook.secret`, keyring)}),
    listed as materialized (
      select id from ranked where place <= ${maxInFlightOfKey} order by place, due_at, position limit ${limit}
    ) select id from listed`
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
  await tx
    .update(webhooks)
    .set(disabled)
    .where(and(eq(webhooks.id, id), isNull(webhooks.disabledAt)))
  await tx
    .update(webhookDeliveries)
    .set({ status: 'given-up', endedAt: sql`now()`, leaseOwner: null, leaseUntil: null })
    .where(and(eq(webhookDeliveries.webhookId, id), eq(webhookDeliveries.status, 'pending')))
}
