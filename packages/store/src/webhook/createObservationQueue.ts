import { TransactionState, type Network } from '@agio/core'
import { and, eq, getTableColumns, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { inMs, leaseFor, systemTime } from '../database/sqlTime.ts'
import { apiKeys, poolStates, webhookDeliveries, webhooks, followedTransactions } from '../database/schema.ts'
import type { ClaimedTransaction, PoolObservation, Observation, ObservedHead, WebhookEvent } from './Webhook.ts'

/**
 * Divides the followed transactions among the processes of a database, and records their observations. A new state and
 * its events are recorded together, and only if the state has not changed since the observation began. So no transition
 * is recorded twice.
 *
 * @param owner the name of this process
 */
export function createObservationQueue({ db, transact, assertWritable }: Database, owner: string): ObservationQueue {
  return {
    async claim({ chainId, head, limit, leaseMs }) {
      await assertWritable()
      const rows = await db
        .update(followedTransactions)
        .set({ leaseOwner: owner, leaseUntil: leaseFor(leaseMs) })
        .from(apiKeys)
        .where(
          sql`${apiKeys.id} = ${followedTransactions.keyId} and (${followedTransactions.keyId}, ${followedTransactions.chainId}, ${followedTransactions.transactionHash}) in (${listDue({ chainId, head, limit })})`,
        )
        .returning({
          ...getTableColumns(followedTransactions),
          ageMs,
          isPollDue,
          tier: apiKeys.tier,
          limits: apiKeys.limits,
        })
      return rows.map((row) => ({
        tier: row.tier,
        limits: row.limits ?? undefined,
        keyId: row.keyId,
        chainId: row.chainId,
        transactionHash: row.transactionHash,
        cursor: row.cursor ?? undefined,
        signedTransaction: row.signedTransaction ?? undefined,
        state: TransactionState.parse(row.status ?? ''),
        decidedBlock: row.decidedBlock ?? undefined,
        checkedHash: row.checkedHead ?? undefined,
        isPollDue: row.isPollDue,
        version: row.version,
        ageMs: Number(row.ageMs),
      }))
    },
    async hasPostponed(chainId) {
      const { chainId: ofChain, endedAt, dueAt } = followedTransactions
      const isPostponed = and(eq(ofChain, chainId), isNull(endedAt), gt(dueAt, sql`now()`))
      const rows = await db.select({ chainId: ofChain }).from(followedTransactions).where(isPostponed).limit(1)
      return rows.length > 0
    },
    async wake(chainId, hashes) {
      const { chainId: ofChain, transactionHash, endedAt, dueAt } = followedTransactions
      const isWaiting = and(eq(ofChain, chainId), inArray(transactionHash, [...hashes]), isNull(endedAt))
      await db
        .update(followedTransactions)
        .set({ dueAt: sql`now()` })
        .where(and(isWaiting, gt(dueAt, sql`now()`)))
    },
    async record(transaction, observation) {
      await assertWritable()
      const { event } = observation
      const observed = setObserved(transaction, { observation, owner })
      const { chainId, transactionHash } = transaction
      const scope = {
        subject: sql`${`transaction:${chainId}:${transactionHash}`}::text`,
        traceparent: sql`(select traceparent from observed)`,
        keys: sql`and webhook.key_id in (select key_id from observed)`,
      }
      // One statement: either both the state and its event are written, or neither.
      await db.execute(event ? sql`with observed as (${observed}) ${insertEvent(event, scope)}` : observed)
    },
    async release(transaction, retryInMs) {
      await db
        .update(followedTransactions)
        .set({
          leaseOwner: null,
          leaseUntil: null,
          dueAt: inMs(retryInMs ?? 0),
          ...(retryInMs === undefined && { endedAt: sql`now()` }),
        })
        .where(and(isSameTransaction(transaction), eq(followedTransactions.leaseOwner, owner)))
    },
    async recordPool(observation, toEvent) {
      return await transact((tx) => changePoolState(tx, observation, toEvent))
    },
  }
}

/** The queue of followed transactions that the processes of a database share. */
type ObservationQueue = {
  /**
   * Claims transactions of a chain that are due at its newest block. Each claim is for one process until its lease
   * ends.
   */
  claim(request: ClaimOptions & { readonly leaseMs: number }): Promise<readonly ClaimedTransaction[]>
  /** Returns whether any transaction of a chain waits for a later observation. */
  hasPostponed(chainId: Network.ChainId): Promise<boolean>
  /** Makes transactions due that wait for a later observation, for instance because a block contains them. */
  wake(chainId: Network.ChainId, hashes: readonly ClaimedTransaction['transactionHash'][]): Promise<void>
  /** Records an observation with its event, unless another process observed the transaction meanwhile. */
  record(transaction: ClaimedTransaction, observation: Observation): Promise<void>
  /** Ends a claim without an observation. Without a time, the transaction is no longer observed. */
  release(transaction: ClaimedTransaction, retryInMs: number | undefined): Promise<void>
  /**
   * Records the state of a pool, and queues an event if it has changed. The first observation has no event.
   *
   * @param toEvent returns the event of a change from a state
   */
  recordPool(observation: PoolObservation, toEvent: (from: PoolObservation['state']) => WebhookEvent): Promise<void>
}

type ClaimOptions = { readonly chainId: Network.ChainId; readonly head: ObservedHead; readonly limit: number }

// Measured by the database's clock, like all times of the queues.
const ageMs = sql<string>`(extract(epoch from now() - ${followedTransactions.createdAt}) * 1000)::text`

const isPollDue = sql<boolean>`(${followedTransactions.pollAt} is null or ${followedTransactions.pollAt} <= now())`

// Without a new block, a pending transaction may be dropped or seen by another node, and finality may advance.
const recheckedAfter = sql.raw("interval '15 seconds'")

// A process whose node lags behind does not repeat an observation: it would see a false reorganisation. A chain that
// has become shorter is observed after this time.
const trustedFor = sql.raw("interval '1 minute'")

/**
 * Selects due transactions. Keys take turns, so that a key with many transactions does not delay another key. The turns need
 * only the first due transactions of each key, which an index has in order. A query with a window function cannot lock rows, so
 * another query locks them. It checks again that no other process has a lease, because one may have claimed a row in the meantime.
 */
function listDue({ chainId, head, limit }: ClaimOptions): SQL {
  const transaction = followedTransactions
  const isFree = sql`(${transaction.leaseUntil} is null or ${transaction.leaseUntil} < ${systemTime})`
  const key = sql`${transaction.keyId}, ${transaction.chainId}, ${transaction.transactionHash}`
  const ofChain = sql`${transaction.chainId} = ${chainId} and ${transaction.endedAt} is null`
  // Materialized, so that no plan evaluates the limit more than once.
  return sql`
    with recursive owners as (
      (select key_id from ${transaction} where ${ofChain} order by key_id limit 1)
      union all
      select (select ${transaction.keyId} from ${transaction} where ${ofChain} and ${transaction.keyId} > owners.key_id order by key_id limit 1)
      from owners where owners.key_id is not null
    ),
    ranked as materialized (
      select due.*, row_number() over (partition by due.key_id order by due.due_at) as place
      from owners
      join ${apiKeys} on ${apiKeys.id} = owners.key_id and ${apiKeys.revokedAt} is null
        and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > now())
      cross join lateral (
        select ${key}, ${transaction.dueAt} from ${transaction}
        where ${ofChain} and ${transaction.keyId} = owners.key_id and ${transaction.dueAt} <= now() and ${isFree}
          and (${transaction.checkedHead} is distinct from ${head.hash} or ${transaction.checkedAt} < now() - ${recheckedAfter})
          and (${transaction.checkedNumber} is null or ${transaction.checkedNumber} <= ${head.number} or ${transaction.checkedAt} < now() - ${trustedFor})
        order by ${transaction.dueAt} limit ${limit}
      ) as due
      where exists (select from ${webhooks} where ${webhooks.keyId} = owners.key_id)
    ),
    chosen as materialized (
      select key_id, chain_id, transaction_hash from ranked order by place, due_at limit ${limit}
    ),
    listed as materialized (
      select ${key} from ${transaction}
      where (${key}) in (select key_id, chain_id, transaction_hash from chosen) and ${isFree}
      for update skip locked
    )
    select key_id, chain_id, transaction_hash from listed`
}

type Recorded = { readonly observation: Observation; readonly owner: string }

function setObserved(transaction: ClaimedTransaction, { observation, owner }: Recorded): SQL {
  const { cursor, state, head, nextInMs, pollInMs, decidedBlock } = observation
  return sql`
    update webhook_watches set status = ${state ? TransactionState.format(state) : null}, cursor = ${cursor ?? null}, signed_transaction = null, version = version + 1,
      due_at = ${inMs(nextInMs ?? 0)}, look_at = ${pollInMs === undefined ? sql`look_at` : inMs(pollInMs)}, decided_block = ${decidedBlock ?? null}, checked_head = ${head.hash}, checked_number = ${head.number}, checked_at = now(), lease_owner = null, lease_until = null,
      ended_at = case when ${nextInMs === undefined} then now() end
    where ${isSameTransaction(transaction)} and version = ${transaction.version} and lease_owner = ${owner}
    returning key_id, traceparent`
}

/**
 * Inserts an event for the webhooks of the keys in a table. It is due with the pending events of its subject, so that claims do
 * not read it earlier. The event of a disabled webhook is given up at once.
 */
function insertEvent({ type, payload }: WebhookEvent, { subject, keys, traceparent = sql`null` }: EventScope): SQL {
  const dueAt = sql`greatest(now(), (
    select earlier.due_at from ${webhookDeliveries} as earlier
    where earlier.webhook_id = webhook.id and earlier.subject = ${subject} and earlier.status = 'pending'
    order by earlier.position desc limit 1
  ))`
  return sql`
    insert into ${webhookDeliveries} (id, webhook_id, subject, type, payload, traceparent, created_at, due_at, status, ended_at, last_error)
    select 'msg_' || replace(gen_random_uuid()::text, '-', ''), webhook.id, ${subject}, ${type}::text, ${payload}::text, ${traceparent}, now(), ${dueAt},
      case when webhook.disabled_at is null then 'pending' else 'given-up' end,
      case when webhook.disabled_at is null then null else now() end,
      case when webhook.disabled_at is null then null else 'disabled' end
    from ${webhooks} as webhook join ${apiKeys} as key on key.id = webhook.key_id and key.revoked_at is null
      and (key.expires_at is null or key.expires_at > now())
    where webhook.events @> to_jsonb(${type}::text) ${keys}`
}

async function changePoolState(
  tx: Database['db'],
  { chainId, pool, state, blockNumber }: PoolObservation,
  toEvent: (from: PoolObservation['state']) => WebhookEvent,
): Promise<void> {
  const isPool = and(eq(poolStates.chainId, chainId), eq(poolStates.pool, pool))
  const isOld = sql<boolean>`${poolStates.changedAt} < now() - interval '1 minute'`
  const [recorded] = await tx
    .select({ state: poolStates.state, blockNumber: poolStates.blockNumber, isOld })
    .from(poolStates)
    .where(isPool)
    .for('update')
  if (!recorded) {
    await tx.insert(poolStates).values({ chainId, pool, state, blockNumber }).onConflictDoNothing()
    return
  }
  // A lagging replica does not undo a change. After a minute a smaller number is accepted, since a restarted chain has
  // smaller numbers.
  const isLater = blockNumber > recorded.blockNumber || recorded.isOld
  if (recorded.state === state || !isLater) return
  await tx
    .update(poolStates)
    .set({ state, blockNumber, changedAt: sql`now()` })
    .where(isPool)
  await tx.execute(
    insertEvent(toEvent(recorded.state), { subject: sql`${`market:${chainId}:${pool}`}::text`, keys: sql`` }),
  )
}

/** The webhooks that receive an event, its subject, and the trace of the request that caused it. */
type EventScope = { readonly subject: SQL; readonly keys: SQL; readonly traceparent?: SQL }

function isSameTransaction({ keyId, chainId, transactionHash }: ClaimedTransaction) {
  return and(
    eq(followedTransactions.keyId, keyId),
    eq(followedTransactions.chainId, chainId),
    eq(followedTransactions.transactionHash, transactionHash),
  )
}
