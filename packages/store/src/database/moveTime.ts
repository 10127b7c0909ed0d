import type { PGlite } from '@electric-sql/pglite'

/**
 * Moves the result of `now()` and `clock_timestamp()` ahead of the system's clock, for all later statements of an
 * embedded database. Statements find these functions in the schema `moved_time` before those of PostgreSQL, which
 * `pg_catalog.now()` still names.
 *
 * The schema stays in the database without effect: the next session does not search it.
 */
export async function moveTime(engine: PGlite, aheadMs: number): Promise<void> {
  await engine.exec(`
    create schema if not exists moved_time;
    ${define('now', 'stable')}
    ${define('clock_timestamp', 'volatile')}
    select set_config('moved_time.ahead_ms', '${aheadMs}', false);
    -- New tables belong to the first schema.
    set search_path = public, moved_time, pg_catalog;
  `)
}

function define(name: string, volatility: string): string {
  return `
    create or replace function moved_time.${name}() returns timestamptz language sql ${volatility} as $$
      select pg_catalog.${name}() + current_setting('moved_time.ahead_ms')::float8 * interval '1 millisecond'
    $$;`
}
