import { errorCodes } from '@agio/core'
import type { CallRecord } from '@agio/store'
import { z } from 'zod'
import { localExamples } from '../schema/localExamples.ts'
import {
  integerInUrl,
  timestamp,
  timeInUrl,
  transactionHash,
  transactionHashOut,
  wholeNumber,
} from '../schema/fields.ts'

const requestIdDocs = { description: 'Id of the request', example: 'order-42' }
const operationDocs = { description: 'Operation that was called', example: 'convert.preview' }
const codeDocs = { description: 'Code of the error', example: 'svc/above-max-origin' }

const idExample = '019ac01c-d980-7f04-a5f1-3c6ea8b94d07'

const pageId = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'It is not the id of a logged request')

const timeExample = '2026-11-21T05:00:00.000Z'

/** The fields that choose logged requests, in a request. */
export const requestFilter = {
  from: timeInUrl.meta({ description: 'Only requests at or after this time', example: timeExample }).optional(),
  to: timeInUrl.meta({ description: 'Only requests before this time', example: timeExample }).optional(),
  operation: z
    .string()
    .regex(/^[a-zA-Z.]{1,64}$/, 'It is not the name of an operation')
    .meta({ description: 'Only requests of this operation', example: operationDocs.example })
    .optional(),
  status: integerInUrl({ minimum: 200, maximum: 599 })
    .meta({ description: 'Only requests with this HTTP status', example: 422 })
    .optional(),
  code: z
    .enum(errorCodes)
    .meta({ description: 'Only requests with this error code', example: codeDocs.example })
    .optional(),
  requestId: z
    .string()
    .regex(/^[a-zA-Z0-9_.:-]{1,128}$/, 'It is not the id of a request')
    .meta({ description: 'Only the request with this id', example: requestIdDocs.example })
    .optional(),
  transactionHash: transactionHash
    .meta({ description: 'Only requests that name or send this transaction', example: localExamples.transactionHash })
    .optional(),
  before: pageId
    .meta({ description: 'Only requests before the one with this `id`, for the next page', example: idExample })
    .optional(),
  limit: integerInUrl({ minimum: 1, maximum: 1000 })
    .default(100)
    .meta({ description: 'Maximum number of requests', example: 20 }),
} as const

const inputDocs = { example: { tokenIn: '0x…', tokenOut: '0x…', amountIn: '900000000' } }
const milliseconds = z.number().min(0)

/** A logged request, in a response. */
export const requestRecord = z
  .object({
    id: z.string().meta({ description: 'Id of the entry, for `before`', example: idExample }),
    at: timestamp.meta({ description: 'Time at which the request arrived', example: timeExample }),
    requestId: z.string().meta(requestIdDocs),
    operation: z.string().meta(operationDocs),
    status: wholeNumber.meta({ description: 'HTTP status. Each call of a tRPC batch has its own', example: 422 }),
    code: z
      .string()
      .optional()
      .meta({ ...codeDocs, description: 'Code of the error, or of the failure of the transaction' }),
    durationMs: z
      .object({
        total: milliseconds.meta({ description: 'Milliseconds from the request to the response', example: 41.5 }),
        edge: milliseconds.meta({ description: 'The part of the service itself', example: 1.5 }),
        queue: milliseconds.meta({ description: 'The part that waited for a turn at the nodes', example: 0 }),
        node: milliseconds.meta({ description: 'The part that waited for nodes', example: 40 }),
      })
      .describe('How long the request took. The calls of a tRPC batch share the times of their request'),
    nodeRequests: wholeNumber.meta({ description: 'Reads of nodes by the request', example: 1 }),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          'Input without secret and personal values, which are `[redacted]`. Absent if the request was refused before its input was read',
        ...inputDocs,
      }),
    nearestInput: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description: 'For a refusal, the nearest values that work, if the service knows them',
        example: { amountIn: '767813.267813' },
      }),
    transactionHash: transactionHashOut.optional().describe('Hash of the transaction that the request names or sends'),
  })
  .meta({ id: 'LoggedRequest', description: 'A request in the log of its API key' })

/** Returns the filter of the store for the fields of a request. */
export function toCallFilter({ from, to, ...fields }: z.output<z.ZodObject<typeof requestFilter>>) {
  return { ...fields, fromMs: toMs(from), toMs: toMs(to) }
}

function toMs(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time)
}

/** Returns a logged call in the form of a response. */
export function toRequestRecord(call: CallRecord) {
  const { id, atMs, requestId, operation, status, code, ms, queueMs, nodeMs, nodeRequests } = call
  const { input, nearestInput, transactionHash: hash } = call
  const edgeMs = Math.max(0, ms - queueMs - nodeMs)
  return {
    id,
    at: new Date(atMs).toISOString(),
    requestId,
    operation,
    status,
    ...(code !== undefined && { code }),
    durationMs: { total: round(ms), edge: round(edgeMs), queue: round(queueMs), node: round(nodeMs) },
    nodeRequests,
    ...(input !== undefined && { input: JSON.parse(input) as Record<string, unknown> }),
    ...(nearestInput !== undefined && { nearestInput: JSON.parse(nearestInput) as Record<string, string> }),
    ...(hash !== undefined && { transactionHash: hash }),
  } satisfies z.input<typeof requestRecord>
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
