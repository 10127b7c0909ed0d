import { Amount, chainIds, defaultChainId, isChainId, type ChainId } from '@agio/core'
import { zeroAddress, type Hex } from 'viem'
import { z } from 'zod'
import { addressIssue, chainIssue } from '../errors/toInputError.ts'
import { isAddress, toChecksumAddress } from './toChecksumAddress.ts'

/** An address in any letter case, answered in EIP-55 spelling. */
export const address = z
  .string()
  .refine(isAddress, { params: addressIssue, abort: true })
  .transform((value) => toChecksumAddress(value))
  .meta({
    override: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
    example: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  })

const chainIdDocs = { type: 'integer' as const, enum: [...chainIds] }

/** An address that someone holds: any but zero, which no token lets approve, hold or be approved. */
export const account = address.refine((value) => value !== zeroAddress, { params: addressIssue })

/** The network, in a body: a JSON number. Not a number schema, which trpc-to-openapi would coerce. */
export const chainId = z
  .unknown()
  .refine((value) => typeof value === 'number', { error: 'It is not a number', abort: true })
  .refine((value) => isChainId(value), { params: chainIssue })
  .meta({
    override: chainIdDocs,
    description: 'The network',
  }) as unknown as z.ZodType<ChainId, ChainId>

/** The network, in a body that need not name one. */
export const chainIdOrDefault = chainId.default(defaultChainId)

/** The network, in a path or a query: digits. A typed caller passes the number. */
export const chainIdInUrl = numberInUrl(chainId) as unknown as z.ZodType<ChainId, ChainId>

/** The network, in a path or a query that need not name one. */
export const chainIdInUrlOrDefault = chainIdInUrl.default(defaultChainId)

/** A decimal amount of whole tokens. How many fractional digits it may have, the token decides. */
export const amount = z
  .string()
  .max(Amount.maxLength)
  .regex(Amount.pattern, 'It is not a plain decimal number, for instance 1000.5')
  .refine((value) => /[1-9]/.test(value), 'It is zero')
  .meta({ example: '1000' })

/** A decimal amount in an answer. */
export const decimal = z.string().regex(Amount.pattern).meta({ example: '650.874400' })

/** Bytes as `0x` and an even number of hex digits. */
export const hexBytes = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})+$/, 'It is not 0x and an even number of hex digits')
  .transform((value) => value.toLowerCase() as Hex)

/** A transaction's hash. */
export const transactionHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'It is not 0x and 64 hex digits')
  .transform((value) => value.toLowerCase() as Hex)

/** A time as ISO 8601 in UTC. */
export const timestamp = z.iso.datetime().meta({ example: '2026-11-21T05:00:00.000Z' })

/** A whole number as text. */
export const integerText = z.string().regex(/^[0-9]+$/)

/** An address in an answer. */
export const addressOut = z.string().meta({ override: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } })

/** A boolean or number of a body that trpc-to-openapi must not coerce: it coerces bare ones and leaves pipes alone. */
export function exact<Value>(schema: z.ZodType<Value, Value>): z.ZodType<Value, Value> {
  return schema.pipe(schema)
}

/** Reads the digits of a path or query parameter as a number, and leaves all else to the schema to refuse. */
export function numberInUrl<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value),
    schema,
  )
}
