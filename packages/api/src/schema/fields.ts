import { Amount, Network, type Address, Timestamp } from '@agio/core'
import { LRUCache } from 'lru-cache'
import { checksumAddress, zeroAddress, type Hex } from 'viem'
import { z } from 'zod'
import type { ReadBlock } from '@agio/chain'
import { addressIssue, chainIssue } from '../errors/toInputError.ts'
import { localExamples } from './localExamples.ts'

// Fields are rewritten by `overwrite`, not by `transform`. For each value, zod's `transform` assigns a new closure to a
// property. V8 allocates such closures in the old generation, where they and all that they reference remain until a
// major collection.

/** An address in any letter case, parsed to its EIP-55 checksum spelling. */
export const address = z
  .string()
  .refine(isAddress, { params: addressIssue, abort: true })
  .overwrite((value) => toChecksumAddress(value))
  .meta({ override: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } }) as unknown as z.ZodType<Address, string>

/** An address that can hold tokens: any address except zero. */
export const account = address.refine((value) => value !== zeroAddress, { params: addressIssue })

const chainIdDocs = {
  override: { type: 'integer' as const, enum: [...Network.chainIds] },
  description: 'Chain id of the network',
  example: Network.defaultChainId,
}

/** The network, in a body: a JSON number. */
export const chainId = z
  .unknown()
  .refine((value) => typeof value === 'number', { error: 'It is not a number', abort: true })
  .refine((value) => Network.isChainId(value), { params: chainIssue })
  .meta(chainIdDocs) as unknown as z.ZodType<Network.ChainId, Network.ChainId>

/** The network, in a body that may omit it. */
export const chainIdOrDefault = chainId.default(Network.defaultChainId)

/** The network, in a path or a query: digits. A typed caller passes the number. */
export const chainIdInUrl = numberInUrl(chainId) as unknown as z.ZodType<Network.ChainId, Network.ChainId>

/** The network, in a path or a query that may omit it. */
export const chainIdInUrlOrDefault = chainIdInUrl.default(Network.defaultChainId)

/** The network, in a response. */
export const chainIdOut = z.int().meta(chainIdDocs)

/** A decimal amount of whole tokens. The token limits its fractional digits. */
export const amount = z
  .string()
  .max(Amount.maxLength)
  .regex(Amount.pattern, 'It is not a plain decimal number, such as 1000.5')
  .refine((value) => /[1-9]/.test(value), 'It is zero')
  .meta({ example: '1000' })

/** A decimal amount in a response. */
export const decimal = z.string().regex(Amount.pattern).meta({ example: '650.874400' })

/** The rate of all fees of a route, as percent. */
export const routeFeeRate = z.string().meta({
  description: 'Combined fee rate of all pools of the route. With two pools, it is exactly `1 - (1 - fee) x (1 - fee)`',
  example: '0.05%',
})

/** A decimal amount of either sign in a response. */
export const signedDecimal = z.string().regex(/^-?[0-9]+(\.[0-9]+)?$/)

/** An amount of a request, repeated in its response. */
export const amountOut = z.string().meta({ example: '1000' })

/** Bytes as `0x` and an even number of hex digits. */
export const hexBytes = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})+$/, 'It is not 0x and an even number of hex digits')
  .overwrite((value) => value.toLowerCase()) as unknown as z.ZodType<Hex, string>

/** The hash of a transaction. */
export const transactionHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'It is not 0x and 64 hex digits')
  .overwrite((value) => value.toLowerCase())
  .meta({
    description: 'Hash of the transaction',
    example: localExamples.transactionHash,
  }) as unknown as z.ZodType<Hex, string>

/** The states of a transaction. */
export const transactionStates = ['pending', 'success', 'failed'] as const

/** The states of a market. */
export const marketStates = ['open', 'closed'] as const

/** Which amount of a conversion is fixed. */
export const conversionModes = ['exact-in', 'exact-out'] as const

/** The sources of the prices of a receipt's oracle amount. */
export const oracleMoments = ['execution', 'quote', 'unavailable'] as const

/** A time as ISO 8601 in UTC. */
export const timestamp = z.iso.datetime()

/** A time as ISO 8601 in UTC, in a query. PostgreSQL has no year 0. */
export const timeInUrl = z.iso
  .datetime({ error: 'It is not a time in UTC, such as 2026-11-21T05:00:00Z' })
  .refine((time) => !time.startsWith('0000'), 'It is before the year 1')

/** A calendar month in UTC. */
export const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'It is not a month, such as 2026-11')
  .meta({ example: '2026-11' })

const blockTimeExample = '2026-11-21T05:00:00.000Z'

/** An integer as text. */
export const integerText = z.string().regex(/^[0-9]+$/)

/** An integer of a response that is at least zero. */
export const wholeNumber = z.int().min(0)

/** The number of a block. */
export const blockNumber = wholeNumber.meta({ description: 'Number of the block of the response', example: 59 })

/** The time of a block. */
export const blockTimestamp = timestamp.meta({ description: 'Time of that block', example: blockTimeExample })

/** An address in a response, in its EIP-55 checksum spelling. */
export const addressOut = z.string().meta({ override: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } })

/** Bytes in a response. */
export const hexOut = z.string().meta({ override: { type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$' } })

/** 32 bytes in a response, such as a hash. */
export const hashOut = z.string().meta({ override: { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' } })

/** The hash of a transaction, in a response. */
export const transactionHashOut = hashOut.meta({
  description: 'Hash of the transaction',
  example: localExamples.transactionHash,
})

/**
 * Parses the digits of a path or query parameter as a number. Leaves other values unchanged for the schema to reject.
 */
function numberInUrl<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value),
    schema,
  )
}

/**
 * Returns the schema of an integer in a path or a query: digits, within limits. The error message contains the limits.
 * A typed caller passes the number.
 */
export function integerInUrl({ minimum, maximum }: { readonly minimum: number; readonly maximum: number }) {
  const error = `It is not an integer from ${minimum} to ${maximum}`
  return numberInUrl(z.int({ error }).min(minimum, { error }).max(maximum, { error })).meta({
    override: { type: 'integer', minimum, maximum },
  }) as unknown as z.ZodType<number, number>
}

/** Returns whether a text is an address. With letters of both cases, they must be its checksum (EIP-55). */
function isAddress(text: string): text is Address {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false
  const hasBothCases = /[a-f]/.test(text) && /[A-F]/.test(text)
  return !hasBothCases || toChecksumAddress(text as Address) === text
}

// Requests repeat a few addresses, and a checksum costs a hash. viem's own cache writes to its map on every read. Those
// writes were most of the memory that a preview allocated.
const checksums = new LRUCache<string, Address>({ max: 10_000 })

function toChecksumAddress(address: Address): Address {
  const cached = checksums.get(address)
  if (cached) return cached
  const checksummed = checksumAddress(address)
  checksums.set(address, checksummed)
  return checksummed
}

/** The text of a quote, in a request or a response. An invalid text has its own error. */
export const quoteText = z.string().meta({
  description: 'Quote of `convert/quote`, exactly as returned',
  example:
    'rC0v-_3kP9xQ.eyJ2ZXJzaW9uIjoxLCJrZXlJZCI6ImtleV81UW0zeFU4blcyYUIiLCJjaGFpbklkIjo4NDUzMn0.4GaPXKvToNsNhb7Ezqb24Mew7f24gts4OriR0_KqDzI',
})

/** The block of a result that a node returned at its newest block. */
export const readBlockFields = {
  blockNumber: blockNumber.optional().meta({
    description:
      'Number of the block of the response. Absent if the reader of the deployment is an older version that does not return it',
    example: 59,
  }),
  blockTimestamp,
}

/** Returns the fields of the block that was read. */
export function toReadBlock({ number, timestampSeconds }: ReadBlock) {
  return {
    ...(number !== undefined && { blockNumber: Number(number) }),
    blockTimestamp: Timestamp.fromSeconds(timestampSeconds),
  }
}
