import { limitsOf, Month } from '@agio/core'
import type { KeyRecord, UsageRow } from '@agio/store'
import { z } from 'zod'
import { timestamp } from '../schema/fields.ts'
import { adminProcedure } from '../trpc/procedure.ts'
import { keyRecord, toKeyRecord } from './keys/keyRecord.ts'

const count = z.int().min(0)

const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'It is not a month, for instance 2026-11')

const keyStats = z
  .object({
    ...keyRecord.pick({ id: true, prefix: true, name: true, company: true, tier: true }).shape,
    createdAt: timestamp,
    lastUsedAt: timestamp.optional(),
    revokedAt: timestamp.optional(),
    calls: count,
    callsByOperation: z.record(z.string(), count),
    refused: count.meta({ description: 'Calls answered by 429' }),
    quota: count.optional().meta({ description: 'Calls per month; absent if the key has no limits' }),
    remaining: count.optional(),
  })
  .meta({ id: 'KeyStats' })

/** Tells what each key was used for. */
export const stats = adminProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/admin/stats',
      tags: ['Admin'],
      summary: 'What each key was used for in a month',
      description: 'What other processes counted in the last quarter of a second may be missing.',
    },
    errors: [],
  })
  .input(
    z.strictObject({ month: month.optional().meta({ description: 'UTC; the current one by default' }) }).optional(),
  )
  .output(
    z
      .object({ month, totals: z.object({ calls: count, refused: count }), keys: z.array(keyStats) })
      .meta({ id: 'AdminStats' }),
  )
  .query(async ({ ctx, input }) => {
    const { keys, usage } = ctx.store
    const asked = input?.month ?? Month.at(ctx.now())
    const rows = await usage.readMonth(asked)
    const [records, lastUsed] = await Promise.all([keys.list(), usage.readLastUsed()])
    const byKey = Map.groupBy(rows, ({ keyId }) => keyId)
    const all = records.map((record) => toKeyStats(record, byKey.get(record.id) ?? [], lastUsed.get(record.id)))
    return { month: asked, totals: { calls: sum(all, 'calls'), refused: sum(all, 'refused') }, keys: all }
  })

function toKeyStats(record: KeyRecord, rows: readonly UsageRow[], lastUsedAt: Date | undefined) {
  const { email: _, useCase: __, expectedVolume: ___, limits: ____, ...shown } = toKeyRecord(record)
  const quota = limitsOf(record.tier, record.limits)?.monthlyQuota
  const calls = sum(rows, 'calls')
  return {
    ...shown,
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    calls,
    callsByOperation: Object.fromEntries(
      rows.filter((row) => row.calls > 0).map(({ operation, calls: called }) => [operation, called]),
    ),
    refused: sum(rows, 'refused'),
    ...(quota !== undefined && { quota, remaining: Math.max(0, quota - calls) }),
  } satisfies z.input<typeof keyStats>
}

function sum(
  rows: readonly { readonly calls: number; readonly refused: number }[],
  field: 'calls' | 'refused',
): number {
  return rows.reduce((total, row) => total + row[field], 0)
}
