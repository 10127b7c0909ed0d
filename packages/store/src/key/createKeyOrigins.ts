import { and, isNotNull, isNull } from 'drizzle-orm'
import { createTableCache } from '../database/createTableCache.ts'
import type { Database } from '../database/Database.ts'
import { apiKeys } from '../database/schema.ts'

/** Keeps in memory the origins whose pages may use a key. A preflight carries no key, so it allows all of them. */
export function createKeyOrigins(db: Database['db']): KeyOrigins {
  const table = createTableCache(() => readOrigins(db), new Set<string>())
  return {
    hasOrigin: (origin) => table.get().has(origin),
    refreshOrigins: () => table.refresh(),
  }
}

/** The origins of all keys. */
export type KeyOrigins = {
  /** Returns from memory whether any key allows an origin. The result is at most two seconds old. */
  hasOrigin(origin: string): boolean
  /** Reads the changes of other processes. */
  refreshOrigins(): Promise<void>
}

async function readOrigins(db: Database['db']): Promise<ReadonlySet<string>> {
  const { allowedOrigins, revokedAt } = apiKeys
  const rows = await db
    .select({ allowedOrigins })
    .from(apiKeys)
    .where(and(isNotNull(allowedOrigins), isNull(revokedAt)))
  return new Set(rows.flatMap((row) => row.allowedOrigins ?? []))
}
