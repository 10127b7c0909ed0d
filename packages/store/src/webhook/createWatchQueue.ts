import { TransactionState, type Network } from '@agio/core'
import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { apiKeys, marketStates, webhookDeliveries, webhooks, webhookWatches } from '../database/schema.ts'
import type { ClaimedWatch, MarketObservation, Observation, ObservedHead, WebhookEvent } from './Webhook.ts'

/**
 * Divides the followed transactions among the processes of a database, and records their observations. A new state and
 * its events are recorded together, and only if the state has not changed since the observation began. So no transition
 * is recorded twice.
 *
 * @param owner the name of this process
 */
export function createWatchQueue({ db, transact, assertWritable }: Database, owner: string): WatchQueue {
  return {
    async claim({ chainId, head, limit, leaseMs }) {
      await assertWritable()
      const rows = await db
        .update(webhookWatches)
        .set({ leaseOwner: owner, leaseUntil: inMs(leaseMs) })
        .where(
          sql`(${webhookWatches.keyId}, ${webhookWatches.chainId}, ${webhookWatches.transactionHash}) in (${listDue({ chainId, head, limit })})`,
        )
        .returning({ ...getTableColumns(webhookWatches), ageMs })
      return rows.map((row) => ({
        keyId: row.keyId,
        chainId: row.chainId,
        transactionHash: row.transactionHash,
        cursor: row.cursor ?? undefined,
        signedTransaction: row.signedTransaction ?? undefined,
        state: TransactionState.parse(row.status ?? ''),
        version: row.version,
        ageMs: Number(row.ageMs),
      }))
    },
    async record(watch, observation) {
      await assertWritable()
      const { event } = observation
      const observed = setObserved(watch, { observation, owner })
      const { chainId, transactionHash } = watch
      const scope = {
        subject: sql`${`transaction:${chainId}:${transactionHash}`}::text`,
        keys: sql`and webhook.key_id in (select key_id from observed)`,
      }
      // One statement: either both the state and its event are written, or neither.
      await db.execute(event ? sql`with observed as (${observed}) ${insertEvent(event, scope)}` : observed)
    },
    async release(watch, retryInMs) {
      await db
        .update(webhookWatches)
        .set({
          leaseOwner: null,
          leaseUntil: null,
          dueAt: inMs(retryInMs ?? 0),
          ...(retryInMs === undefined && { endedAt: sql`now()` }),
        })
        .where(and(isOf(watch), eq(webhookWatches.leaseOwner, owner)))
    },
    async recordMarket(observation, toEvent) {
      return await transact((tx) => changeMarket(tx, observation, toEvent))
    },
  }
}

export type WatchQueue = {
  /**
   * Claims transactions of a chain that are due at its newest block. Each claim is for one process until its lease
   * ends.
   */
  claim(request: WatchRequest & { readonly leaseMs: number }): Promise<readonly ClaimedWatch[]>
  /** Records an observation with its event, unless another process observed the watch meanwhile. */
  record(watch: ClaimedWatch, observation: Observation): Promise<void>
  /** Ends a claim without an observation. Without a time, the transaction is no longer observed. */
  release(watch: ClaimedWatch, retryInMs: number | undefined): Promise<void>
  /**
   * Records the state of a market, and queues an event if it has changed. The first observation has no event.
   *
   * @param toEvent returns the event of a change from a state
   */
  recordMarket(
    observation: MarketObservation,
    toEvent: (from: MarketObservation['state']) => WebhookEvent,
  ): Promise<void>
}

type WatchRequest = { readonly chainId: Network.ChainId; readonly head: ObservedHead; readonly limit: number }

// By the database's clock, as all times of the queues.
const ageMs = sql<string>`(extract(epoch from now() - ${webhookWatches.createdAt}) * 1000)::text`

// Without a new block, a pending transaction may be dropped or seen by another node, and finality may advance.
const recheckedAfter = sql.raw("interval '15 seconds'")

// A process whose node lags behind does not repeat an observation: it would see a false reorganisation. A chain that
// has become shorter is observed after this time.
const trustedFor = sql.raw("interval '1 minute'")

function listDue({ chainId, head, limit }: WatchRequest): SQL {
  const watch = webhookWatches
  // Materialized, so that no plan evaluates the limit more than once.
  return sql`
    with listed as materialized (select ${watch.keyId}, ${watch.chainId}, ${watch.transactionHash} from ${watch}
    join ${apiKeys} on ${apiKeys.id} = ${watch.keyId} and ${apiKeys.revokedAt} is null
    where ${watch.chainId} = ${chainId} and ${watch.endedAt} is null and ${watch.dueAt} <= now()
      and exists (select from ${webhooks} where ${webhooks.keyId} = ${watch.keyId})
      and (${watch.leaseUntil} is null or ${watch.leaseUntil} < now())
      and (${watch.checkedHead} is distinct from ${head.hash} or ${watch.checkedAt} < now() - ${recheckedAfter})
      and (${watch.checkedNumber} is null or ${watch.checkedNumber} <= ${head.number} or ${watch.checkedAt} < now() - ${trustedFor})
    order by ${watch.dueAt} limit ${limit} for update of ${sql.raw('"webhook_watches"')} skip locked)
    select key_id, chain_id, transaction_hash from listed`
}

type Recorded = { readonly observation: Observation; readonly owner: string }

function setObserved(watch: ClaimedWatch, { observation, owner }: Recorded): SQL {
  const { cursor, state, head, nextInMs } = observation
  return sql`
    update webhook_watches set status = ${state ? TransactionState.format(state) : null}, cursor = ${cursor ?? null}, signed_transaction = null, version = version + 1,
      due_at = ${inMs(nextInMs ?? 0)}, checked_head = ${head.hash}, checked_number = ${head.number}, checked_at = now(), lease_owner = null, lease_until = null,
      ended_at = case when ${nextInMs === undefined} then now() end
    where ${isOf(watch)} and version = ${watch.version} and lease_owner = ${owner}
    returning key_id`
}

/** Inserts an event for the webhooks of the keys in a table. The event of a disabled webhook is given up at once. */
function insertEvent({ type, payload }: WebhookEvent, { subject, keys }: EventScope): SQL {
  return sql`
    insert into ${webhookDeliveries} (id, webhook_id, subject, type, payload, status, ended_at, last_error)
    select 'msg_' || replace(gen_random_uuid()::text, '-', ''), webhook.id, ${subject}, ${type}::text, ${payload}::text,
      case when webhook.disabled_at is null then 'pending' else 'given-up' end,
      case when webhook.disabled_at is null then null else now() end,
      case when webhook.disabled_at is null then null else 'disabled' end
    from ${webhooks} as webhook join ${apiKeys} as key on key.id = webhook.key_id and key.revoked_at is null
    where webhook.events @> to_jsonb(${type}::text) ${keys}`
}

async function changeMarket(
  tx: Database['db'],
  { chainId, pool, state, blockNumber }: MarketObservation,
  toEvent: (from: MarketObservation['state']) => WebhookEvent,
): Promise<void> {
  const isMarket = and(eq(marketStates.chainId, chainId), eq(marketStates.pool, pool))
  const isOld = sql<boolean>`${marketStates.changedAt} < now() - interval '1 minute'`
  const [known] = await tx
    .select({ state: marketStates.state, blockNumber: marketStates.blockNumber, isOld })
    .from(marketStates)
    .where(isMarket)
    .for('update')
  if (!known) {
    await tx.insert(marketStates).values({ chainId, pool, state, blockNumber }).onConflictDoNothing()
    return
  }
  // A lagging replica does not undo a change. After a minute a smaller number is accepted, since a restarted chain has
  // smaller numbers.
  const isLater = blockNumber > known.blockNumber || known.isOld
  if (known.state === state || !isLater) return
  await tx
    .update(marketStates)
    .set({ state, blockNumber, changedAt: sql`now()` })
    .where(isMarket)
  await tx.execute(
    insertEvent(toEvent(known.state), { subject: sql`${`market:${chainId}:${pool}`}::text`, keys: sql`` }),
  )
}

/** The webhooks that receive an event, and its subject. */
type EventScope = { readonly subject: SQL; readonly keys: SQL }

function isOf({ keyId, chainId, transactionHash }: ClaimedWatch) {
  return and(
    eq(webhookWatches.keyId, keyId),
    eq(webhookWatches.chainId, chainId),
    eq(webhookWatches.transactionHash, transactionHash),
  )
}

/** Returns the database's time plus a number of milliseconds, as SQL. */
export function inMs(ms: number): SQL<Date> {
  return sql<Date>`now() + ${ms} * interval '1 millisecond'`
}
