import type { TestDatabase } from '../harness/createDatabase.ts'

/** Adds API keys of the tier `local`, which have no limits, until the database has a number of them. */
export async function fillKeys(database: Pick<TestDatabase, 'query'>, count: number): Promise<void> {
  const missing = `from generate_series((select count(*) from api_keys) + 1, ${count}) as number`
  await database.query(`
    with added as (
      insert into api_keys (id, name, email, use_case, expected_volume, tier, created_at, changed_at)
      select 'key_' || number, 'Key ' || number, 'dev@shop.example', 'payouts', '1,000 a day', 'local',
        now() - number * interval '1 second', now() - interval '1 day'
      ${missing}
    )
    insert into api_secrets (hash, key_id, prefix, created_at)
    select encode(sha256(convert_to('secret-' || number, 'UTF8')), 'hex'), 'key_' || number, 'secret-', now() ${missing}`)
  await database.query('vacuum analyze api_keys, api_secrets')
}

/** The secret of a key that `fillKeys` added, and its id. */
export function keyOfNumber(number: number): { readonly id: string; readonly secret: string } {
  return { id: `key_${number}`, secret: `secret-${number}` }
}

/** Adds usage of the keys until `usage` and `usage_days` have a number of rows together: of ten operations by month, and by day. */
export async function fillUsage(database: Pick<TestDatabase, 'query'>, { keys, rows }: FillUsage): Promise<void> {
  const perKey = Math.ceil(rows / keys / 2)
  // A month with ten operations, then the month before.
  await database.query(`
    insert into usage (key_id, month, operation, calls, refused, last_call_at)
    select 'key_' || number, to_char(now() at time zone 'UTC' - part / 10 * interval '1 month', 'YYYY-MM'), 'operation ' || part % 10, 100, 1, now()
    from generate_series(1, ${keys}) as number, generate_series(0, ${perKey - 1}) as part
    on conflict do nothing`)
  await database.query(`
    insert into usage_days (key_id, day, operation, calls, refused)
    select 'key_' || number, to_char(date_trunc('month', now() at time zone 'UTC') + part / 10 % 28 * interval '1 day' - part / 280 * interval '1 month', 'YYYY-MM-DD'), 'operation ' || part % 10, 4, 1
    from generate_series(1, ${keys}) as number, generate_series(0, ${perKey - 1}) as part
    on conflict do nothing`)
  await database.query('vacuum analyze usage, usage_days')
}

type FillUsage = { readonly keys: number; readonly rows: number }
