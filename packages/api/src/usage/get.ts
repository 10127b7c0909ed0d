import { Month, Tier } from '@agio/core'
import type { OperationCalls } from '@agio/store'
import { z } from 'zod'
import { month, wholeNumber } from '../schema/fields.ts'
import { getKeyId } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'

const callsByOperation = z.record(
  z.string(),
  wholeNumber.meta({ description: 'Admitted calls of the operation', example: 1204 }),
)

const operationsExample = { 'convert.preview': 1204 }

const usageDay = z
  .object({
    day: z.iso.date().meta({ description: 'Day in UTC', example: '2026-11-21' }),
    calls: wholeNumber.meta({ description: 'Admitted calls of the day', example: 1204 }),
    refused: wholeNumber.meta({ description: 'Calls of the day refused with 429', example: 3 }),
    callsByOperation: callsByOperation.meta({
      description: 'Admitted calls of the day by operation',
      example: operationsExample,
    }),
  })
  .meta({ id: 'UsageDay', description: 'The usage of an API key on a day' })

const rateLimits = z.object({
  requests: wholeNumber.meta({ description: 'Maximum number of calls per window', example: 100 }),
  windowSeconds: wholeNumber.meta({ description: 'Length of the window in seconds', example: 900 }),
  burstPerSecond: wholeNumber.meta({ description: 'Maximum number of calls per second', example: 10 }),
})

const nodeRequests = z.object({
  limit: wholeNumber.meta({ description: 'Maximum number of node requests per window', example: 89_000 }),
  windowSeconds: wholeNumber.meta({ description: 'Length of the window in seconds', example: 900 }),
  used: wholeNumber.meta({ description: 'Node requests that are used in the current window', example: 132 }),
  resetSeconds: wholeNumber.meta({ description: 'Seconds until the window ends', example: 611 }),
})

const keyUsage = z
  .object({
    month: month.describe('Month in UTC'),
    tier: z.enum(Tier.names).meta({ description: 'Tier, which sets the limits', example: 'standard' }),
    calls: wholeNumber.meta({ description: 'Admitted calls of the month, including this call', example: 1204 }),
    refused: wholeNumber.meta({ description: 'Calls of the month refused with 429', example: 3 }),
    callsByOperation: callsByOperation.meta({
      description: 'Admitted calls of the month by operation',
      example: operationsExample,
    }),
    days: z
      .array(usageDay)
      .describe('Days with calls, oldest first. Calls that an older version counted only by month are not included.'),
    quota: wholeNumber
      .optional()
      .meta({ description: 'Calls per month. Absent for a tier without limits', example: 100_000 }),
    remaining: wholeNumber
      .optional()
      .meta({ description: 'Remaining calls of the month. Absent for a tier without limits', example: 98_796 }),
    limits: rateLimits.optional().describe('Rate and burst of the key. Absent for a tier without limits'),
    nodeRequests: nodeRequests
      .optional()
      .describe(
        'Budget of requests to the nodes, for calls, streams and webhooks together, in the current window. Absent for a tier without limits',
      ),
  })
  .meta({ id: 'OwnUsage', description: 'The usage of an API key in a month' })

/** Returns the usage of the API key of the request in a month. */
export const get = procedure
  .meta({
    scope: 'usage',
    openapi: rest('GET /api/v1/usage', 'Usage', {
      operationId: 'getOwnUsage',
      summary: 'Get the usage of the API key in a month',
      description:
        'Returns the calls of the API key of the request by operation and day, and the rest of its quota. This request counts as a call too. Calls that other processes counted in the last 250 ms may be missing.',
    }),
  })
  .input(z.strictObject({ month: month.describe('Month in UTC. Default: the current month').optional() }).optional())
  .output(keyUsage)
  .query(async ({ ctx, input }): Promise<z.input<typeof keyUsage>> => {
    const { keys, usage } = ctx.store
    const requested = input?.month ?? Month.at(ctx.now())
    const keyId = getKeyId(ctx)
    const [{ tier, limits }, { operations, days }] = await Promise.all([
      keys.get(keyId),
      usage.readKeyMonth(keyId, requested),
    ])
    const nodeBudget = ctx.findNodeBudget({ id: keyId, tier, limits })
    const total = sumCalls(operations)
    const byDay = Map.groupBy(days, ({ day }) => day)
    return {
      month: requested,
      tier,
      ...total,
      days: [...byDay].map(([day, rows]) => ({ day, ...sumCalls(rows) })),
      ...toBudget(Tier.findLimits(tier, limits), total.calls),
      ...(nodeBudget && { nodeRequests: nodeBudget }),
    }
  })

function sumCalls(rows: readonly OperationCalls[]) {
  return {
    calls: rows.reduce((total, { calls }) => total + calls, 0),
    refused: rows.reduce((total, { refused }) => total + refused, 0),
    callsByOperation: Object.fromEntries(
      rows.filter(({ calls }) => calls > 0).map(({ operation, calls }) => [operation, calls]),
    ),
  }
}

function toBudget(limits: ReturnType<typeof Tier.findLimits>, calls: number) {
  if (!limits) return undefined
  const { monthlyQuota: quota, ...rates } = limits
  return { quota, remaining: Math.max(0, quota - calls), limits: rates }
}
