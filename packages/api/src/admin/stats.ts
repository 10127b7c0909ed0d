import { Month, Tier } from '@agio/core'
import type { KeyDay, KeyRecord, Usage, UsageRow } from '@agio/store'
import { z } from 'zod'
import { month, timestamp, wholeNumber } from '../schema/fields.ts'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { pagination } from '../schema/pagination.ts'
import { keyPage, keyRecord, toKeyRecord } from './keyRecord.ts'

const keyDay = z
  .object({
    day: z.iso.date().meta({ description: 'Day in UTC', example: '2026-11-21' }),
    calls: wholeNumber.meta({ description: 'Admitted calls of the day', example: 1204 }),
    refused: wholeNumber.meta({ description: 'Calls of the day refused with 429', example: 3 }),
  })
  .meta({ id: 'KeyDay', description: 'The usage of a key on a day' })

const keyStats = z
  .object({
    ...keyRecord.pick({ id: true, prefix: true, name: true, company: true, tier: true }).shape,
    createdAt: timestamp.meta({
      description: 'Time at which the key was created',
      example: '2026-11-01T08:00:00.000Z',
    }),
    lastUsedAt: timestamp.optional().meta({
      description: 'Time of the last admitted call. Absent before the first',
      example: '2026-11-21T05:00:00.000Z',
    }),
    revokedAt: timestamp.optional().describe('Time of the revocation. Absent for an active key'),
    calls: wholeNumber.meta({ description: 'Admitted calls of the month', example: 1204 }),
    callsByOperation: z
      .record(z.string(), wholeNumber.meta({ description: 'Admitted calls', example: 1204 }))
      .meta({ description: 'Admitted calls by operation', example: { 'convert.preview': 1204 } }),
    refused: wholeNumber.meta({ description: 'Calls refused with 429', example: 3 }),
    days: z
      .array(keyDay)
      .describe('Days with calls, oldest first. Calls that an older version counted only by month are not included.'),
    quota: wholeNumber
      .optional()
      .meta({ description: 'Calls per month. Absent for a tier without limits', example: 100_000 }),
    remaining: wholeNumber.optional().meta({ description: 'Remaining calls of the month', example: 98_796 }),
  })
  .meta({ id: 'KeyStats', description: 'The usage of a key in a month' })

/** Returns the usage of all keys in a month, and of each key of a page. */
export const stats = adminProcedure
  .meta({
    openapi: rest('GET /api/v1/admin/stats', 'Admin', {
      operationId: 'getUsage',
      summary: 'Get the usage of all keys in a month',
      description:
        'Returns the admitted and refused calls of all keys together, and of each key of a page by operation and by day, newest key first. Calls that other processes counted in the last 250 ms may be missing.',
    }),
    role: 'read',
  })
  .input(
    z
      .strictObject({
        month: month.describe('Month in UTC. Default: the current month').optional(),
        ...keyPage,
      })
      .prefault({}),
  )
  .output(
    z
      .object({
        month: month.describe('Month in UTC'),
        totals: z
          .object({
            calls: wholeNumber.meta({ description: 'Admitted calls of all keys', example: 1204 }),
            refused: wholeNumber.meta({ description: 'Calls of all keys refused with 429', example: 3 }),
          })
          .describe('Usage of all keys together'),
        keys: z.array(keyStats).describe('Usage by key, of the keys of the page, newest first'),
        pagination: pagination('keys'),
      })
      .meta({ id: 'AdminStats', description: 'The usage of all keys in a month, with a page of keys' }),
  )
  .query(async ({ ctx, input: { month: requested = Month.at(ctx.now()), ...page } }) => {
    const { keys: records, total } = await ctx.store.keys.list(page)
    const totals = await ctx.store.usage.readTotals(requested)
    const listed: z.input<typeof keyStats>[] = []
    // In parts, so that other requests are served between them.
    for (let first = 0; first < records.length; first += keysPerRead) {
      listed.push(...(await readUsage(ctx.store.usage, requested, records.slice(first, first + keysPerRead))))
    }
    return { month: requested, totals, keys: listed, pagination: { ...page, total } }
  })

const keysPerRead = 100

async function readUsage(usage: Usage, month: Month.Month, records: readonly KeyRecord[]) {
  const ids = records.map(({ id }) => id)
  const [monthRows, dayRows, lastUsed] = await Promise.all([
    usage.readMonth(month, ids),
    usage.readDays(month, ids),
    usage.readLastUsed(ids),
  ])
  const months = Map.groupBy(monthRows, ({ keyId }) => keyId)
  const days = Map.groupBy(dayRows, ({ keyId }) => keyId)
  return records.map((record) => {
    const { id } = record
    return toKeyStats(record, { months: months.get(id), days: days.get(id), lastUsedAt: lastUsed.get(id) })
  })
}

/** The usage of a key; undefined without usage. */
type KeyUsage = {
  readonly months: readonly UsageRow[] | undefined
  readonly days: readonly KeyDay[] | undefined
  readonly lastUsedAt: Date | undefined
}

function toKeyStats(record: KeyRecord, { months: rows = [], days = [], lastUsedAt }: KeyUsage) {
  const { email: _, useCase: __, expectedVolume: ___, limits: ____, ...listed } = toKeyRecord(record)
  const quota = Tier.findLimits(record.tier, record.limits)?.monthlyQuota
  const calls = sum(rows, 'calls')
  return {
    ...listed,
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    calls,
    callsByOperation: Object.fromEntries(
      rows.filter((row) => row.calls > 0).map(({ operation, calls: called }) => [operation, called]),
    ),
    refused: sum(rows, 'refused'),
    days: days.map(({ keyId: _, ...day }) => day),
    ...(quota !== undefined && { quota, remaining: Math.max(0, quota - calls) }),
  } satisfies z.input<typeof keyStats>
}

function sum(rows: readonly { readonly calls: number; readonly refused: number }[], field: 'calls' | 'refused') {
  return rows.reduce((total, row) => total + row[field], 0)
}
