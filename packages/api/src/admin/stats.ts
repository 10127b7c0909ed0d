import { limitsOf, Month } from '@agio/core'
import type { KeyRecord, UsageRow } from '@agio/store'
import { z } from 'zod'
import { timestamp } from '../schema/fields.ts'
import { adminProcedure } from '../trpc/procedure.ts'
import { keyRecord, toKeyRecord } from './keys/keyRecord.ts'

const count = z.int().min(0)

const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'It is not a month, for instance 2026-11')
  .meta({ example: '2026-11' })

const keyStats = z
  .object({
    ...keyRecord.pick({ id: true, prefix: true, name: true, company: true, tier: true }).shape,
    createdAt: timestamp.meta({ description: 'Time at which the key was issued', example: '2026-11-01T08:00:00.000Z' }),
    lastUsedAt: timestamp
      .optional()
      .meta({ description: 'Time of the last call; absent before the first', example: '2026-11-21T05:00:00.000Z' }),
    revokedAt: timestamp.optional().meta({ description: 'Time of the revocation; absent for an active key' }),
    calls: count.meta({ description: 'Admitted calls of the month', example: 1204 }),
    callsByOperation: z
      .record(z.string(), count.meta({ description: 'Admitted calls', example: 1204 }))
      .meta({ description: 'Admitted calls by operation', example: { 'convert.preview': 1204 } }),
    refused: count.meta({ description: 'Calls refused with 429', example: 3 }),
    quota: count
      .optional()
      .meta({ description: 'Calls per month; absent for a tier without limits', example: 100_000 }),
    remaining: count.optional().meta({ description: 'Calls left in the month', example: 98_796 }),
  })
  .meta({ id: 'KeyStats', description: 'The usage of a key in a month' })

/** Returns the usage of each key in a month. */
export const stats = adminProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/admin/stats',
      operationId: 'getUsage',
      tags: ['Admin'],
      summary: 'Get the usage of all keys in a month',
      description:
        'Returns the admitted and refused calls of each key and operation. Calls that other processes counted in the last 250 ms may be missing.',
    },
    errors: [],
  })
  .input(
    z
      .strictObject({ month: month.meta({ description: 'Month in UTC; the current one by default' }).optional() })
      .optional(),
  )
  .output(
    z
      .object({
        month: month.meta({ description: 'Month in UTC' }),
        totals: z
          .object({
            calls: count.meta({ description: 'Admitted calls of all keys', example: 1204 }),
            refused: count.meta({ description: 'Calls of all keys refused with 429', example: 3 }),
          })
          .meta({ description: 'Usage of all keys together' }),
        keys: z.array(keyStats).meta({ description: 'Usage by key' }),
      })
      .meta({ id: 'AdminStats', description: 'The usage of all keys in a month' }),
  )
  .query(async ({ ctx, input }) => {
    const { keys, usage } = ctx.store
    const requested = input?.month ?? Month.at(ctx.now())
    const rows = await usage.readMonth(requested)
    const [records, lastUsed] = await Promise.all([keys.list(), usage.readLastUsed()])
    const byKey = Map.groupBy(rows, ({ keyId }) => keyId)
    const all = records.map((record) => toKeyStats(record, byKey.get(record.id) ?? [], lastUsed.get(record.id)))
    return { month: requested, totals: { calls: sum(all, 'calls'), refused: sum(all, 'refused') }, keys: all }
  })

function toKeyStats(record: KeyRecord, rows: readonly UsageRow[], lastUsedAt: Date | undefined) {
  const { email: _, useCase: __, expectedVolume: ___, limits: ____, ...listed } = toKeyRecord(record)
  const quota = limitsOf(record.tier, record.limits)?.monthlyQuota
  const calls = sum(rows, 'calls')
  return {
    ...listed,
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
