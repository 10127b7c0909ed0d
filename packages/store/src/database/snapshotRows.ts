import type { PGlite } from '@electric-sql/pglite'

let taken = 0

/**
 * Copies all rows and the states of all sequences of an embedded database to temporary tables, which end with its
 * session.
 */
export async function snapshotRows(engine: PGlite) {
  taken += 1
  const prefix = `snapshot_${taken}_`
  const tables = (await listNames(engine, 'pg_tables', 'tablename')).map((name) => ({
    original: `public."${name}"`,
    copy: `pg_temp."${prefix}${name}"`,
  }))
  const sequences = await listNames(engine, 'pg_sequences', 'sequencename')
  const saveStates = sequences.map(
    (name) => `select '${name}'::text as name, last_value, is_called from public."${name}"`,
  )
  const states = `pg_temp."${prefix}states"`
  await engine.transaction(async (tx) => {
    for (const { original, copy } of tables) await tx.exec(`create table ${copy} as table ${original}`)
    await tx.exec(`create table ${states} as ${saveStates.join(' union all ')}`)
  })
  return {
    /** Replaces all rows by the copies, in one transaction. It may be called any number of times. */
    async restore(): Promise<void> {
      await engine.transaction(async (tx) => {
        // The copies are consistent already. Triggers would count the restored usage twice, and foreign keys would
        // require an order of the tables.
        await tx.exec('set local session_replication_role = replica')
        await tx.exec(`truncate ${tables.map(({ original }) => original).join(', ')}`)
        for (const { original, copy } of tables)
          await tx.exec(`insert into ${original} overriding system value table ${copy}`)
        await tx.exec(`select setval(format('public.%I', name)::regclass, last_value, is_called) from ${states}`)
      })
    },
    /** Deletes the copies. */
    async discard(): Promise<void> {
      await engine.exec(`drop table ${[states, ...tables.map(({ copy }) => copy)].join(', ')}`)
    },
  }
}

/** A copy of all rows of a database. */
export type RowSnapshot = Awaited<ReturnType<typeof snapshotRows>>

async function listNames(engine: PGlite, catalogue: string, column: string): Promise<readonly string[]> {
  const { rows } = await engine.query<{ name: string }>(
    `select ${column} as name from ${catalogue} where schemaname = 'public'`,
  )
  return rows.map(({ name }) => name)
}
