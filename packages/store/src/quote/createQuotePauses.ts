import type { Address, Network } from '@agio/core'
import { and, asc, eq } from 'drizzle-orm'
import { appendAudit } from '../audit/appendAudit.ts'
import type { Actor } from '../audit/AuditEvent.ts'
import type { Database } from '../database/Database.ts'
import { quotePauses } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import { createTableCache } from '../database/createTableCache.ts'

/** Creates functions that pause and resume quotes for pairs of tokens. They cache the paused pairs in memory. */
export function createQuotePauses({ db, transact }: Pick<Database, 'db' | 'transact'>) {
  const table = createTableCache(() => readPauses(db), new Map<string, QuotePause>())
  const refresh = () => table.refresh()
  // If this read fails, the next poll reads the change.
  const refreshIfPossible = () => refresh().catch(() => {})
  return {
    /** Returns from memory whether quotes for a pair are paused. The result is at most two seconds old. */
    isPaused: (pair: TokenPair) => table.get().has(toKey(pair)),
    /** Pauses quotes for a pair, in both directions. A second call has no effect. */
    async pause(pair: TokenPair, actor: Actor): Promise<void> {
      await transact(async (tx) => {
        const paused = await tx.insert(quotePauses).values(toRow(pair)).onConflictDoNothing().returning()
        if (paused.length > 0) await appendAudit(tx, actor, toChange(pair))
      }).catch(throwStorageError)
      await refreshIfPossible()
    },
    /** Resumes quotes for a pair. A second call has no effect. */
    async resume(pair: TokenPair, actor: Actor): Promise<void> {
      const { chainId, tokenA, tokenB } = toRow(pair)
      const isPair = and(
        eq(quotePauses.chainId, chainId),
        eq(quotePauses.tokenA, tokenA),
        eq(quotePauses.tokenB, tokenB),
      )
      await transact(async (tx) => {
        const resumed = await tx.delete(quotePauses).where(isPair).returning()
        if (resumed.length > 0) await appendAudit(tx, actor, toChange(pair))
      }).catch(throwStorageError)
      await refreshIfPossible()
    },
    /** Returns all paused pairs, oldest pause first. */
    async list(): Promise<readonly QuotePause[]> {
      await refresh().catch(throwStorageError)
      return [...table.get().values()]
    },
    /** Reads the changes of other processes. */
    refresh,
  }
}

/** The paused pairs. Every method that uses the database throws `svc/storage-unavailable` if it cannot be reached. */
export type QuotePauses = ReturnType<typeof createQuotePauses>

/** Two tokens of a chain, in any order. */
type TokenPair = { readonly chainId: Network.ChainId; readonly tokens: readonly [Address, Address] }

/** A pair for which quotes are paused. */
type QuotePause = TokenPair & { readonly pausedAt: Date }

function toChange(pair: TokenPair) {
  return { target: toKey(pair), fields: ['pausedAt'] }
}

async function readPauses(db: Database['db']): Promise<ReadonlyMap<string, QuotePause>> {
  const { pausedAt, chainId, tokenA, tokenB } = quotePauses
  const rows = await db.select().from(quotePauses).orderBy(asc(pausedAt), asc(chainId), asc(tokenA), asc(tokenB))
  const pauses = rows.map((row): QuotePause => ({
    chainId: row.chainId,
    tokens: [row.tokenA, row.tokenB],
    pausedAt: row.pausedAt,
  }))
  return new Map(pauses.map((pause) => [toKey(pause), pause]))
}

function toRow({ chainId, tokens: [one, other] }: TokenPair) {
  const [tokenA, tokenB] = one < other ? [one, other] : [other, one]
  return { chainId, tokenA, tokenB }
}

function toKey(pair: TokenPair): string {
  const { chainId, tokenA, tokenB } = toRow(pair)
  return `${chainId}:${tokenA}:${tokenB}`
}
