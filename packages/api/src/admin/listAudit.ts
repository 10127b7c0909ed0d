import type { AuditEvent } from '@agio/store'
import { z } from 'zod'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { integerInUrl, timeInUrl, timestamp, wholeNumber } from '../schema/fields.ts'

const timeExample = '2026-11-21T05:00:00.000Z'
const hashExample = 'dbc4651d27e7dbb0ac5e6bc1d0be9c1c4f3a1b2ea2b3b3a5b0c8b1f0d4e6f7a8'

const eventHash = z.string().meta({ description: 'SHA-256 of the event, in hex', example: hashExample })
const position = wholeNumber.meta({ description: 'Position of the event. The first event has 1', example: 1204 })

const auditEvent = z
  .object({
    position,
    time: timestamp.meta({ description: 'Time of the change', example: timeExample }),
    operator: z.string().meta({
      description: 'Name of the operator, or `key:<id>` for an API key that changed itself',
      example: 'ada',
    }),
    operation: z.string().meta({ description: 'Name of the operation', example: 'admin.keys.revoke' }),
    target: z
      .string()
      .meta({ description: 'Id of the key or secret, or chain and tokens', example: 'key_5Qm3xU8nW2aB' }),
    address: z.string().meta({ description: 'IP address of the client', example: '192.0.2.7' }),
    requestId: z.string().meta({ description: 'Id of the request', example: 'b5d0c0de-0a5f-4bd2-9c2a-6d6f0e1f8f11' }),
    fields: z
      .array(z.string())
      .meta({ description: 'Names of the changed fields, without their values', example: ['revokedAt'] }),
    previousHash: z.string().meta({ description: '`hash` of the event before', example: '0'.repeat(64) }),
    hash: eventHash,
  })
  .meta({ id: 'AuditEvent', description: 'A change by an operator, or by an API key' })

const link = z.object({ position, hash: eventHash })

const filter = z
  .string()
  .regex(/^[\w.:-]{1,200}$/, 'It contains other characters than letters, digits, dots, colons, hyphens and underscores')

/** Lists the events of the audit log. */
export const listAudit = adminProcedure
  .meta({
    openapi: rest('GET /api/v1/admin/audit', 'Admin', {
      operationId: 'listAuditEvents',
      summary: 'List the audit log',
      description:
        'Returns what operators and API keys changed, newest first. Each event contains the hash of the event before. `newest` and `removed` are the ends of the whole log, for its verification.',
    }),
    role: 'read',
  })
  .input(
    z
      .strictObject({
        operator: filter.meta({ description: 'Only changes by this operator', example: 'ada' }).optional(),
        operation: filter
          .meta({ description: 'Only changes by this operation', example: 'admin.keys.revoke' })
          .optional(),
        target: filter.meta({ description: 'Only changes of this target', example: 'key_5Qm3xU8nW2aB' }).optional(),
        from: timeInUrl.meta({ description: 'Only changes at or after this time', example: timeExample }).optional(),
        to: timeInUrl.meta({ description: 'Only changes before this time', example: timeExample }).optional(),
        before: integerInUrl({ minimum: 1, maximum: 999_999_999_999_999 })
          .meta({ description: 'Only events before this `position`, for the next page', example: 1204 })
          .optional(),
        limit: integerInUrl({ minimum: 1, maximum: 1000 })
          .default(100)
          .meta({ description: 'Maximum number of events', example: 100 }),
      })
      .prefault({}),
  )
  .output(
    z
      .object({
        events: z.array(auditEvent).describe('Events, newest first'),
        newest: link.describe('The newest event of the log. Position 0 if it is empty'),
        removed: link.describe(
          'The last event that was removed because of its age. The log begins after it. Position 0 without one',
        ),
        retentionDays: z
          .int()
          .min(1)
          .optional()
          .meta({ description: 'Days for which events are kept. Absent if no event is removed', example: 365 }),
      })
      .meta({ id: 'AuditLog', description: 'Events of the audit log' }),
  )
  .query(async ({ ctx, input: { from, to, ...input } }) => {
    const { events, newest, removed } = await ctx.store.audit.list({
      ...input,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    })
    const { auditDays: retentionDays } = ctx
    return { events: events.map(toEvent), newest, removed, ...(retentionDays !== undefined && { retentionDays }) }
  })

function toEvent({ time: at, fields, ...event }: AuditEvent) {
  return { ...event, time: at.toISOString(), fields: [...fields] } satisfies z.input<typeof auditEvent>
}
