import type { TransactionFacts } from '@agio/chain'
import { Errors, Network } from '@agio/core'
import type { Hex } from 'viem'
import { z } from 'zod'
import { address } from '../schema/fields.ts'

/** The content of a cursor: a transaction, and its state at the last tracking. */
export type TrackingCursor = {
  readonly chainId: Network.ChainId
  readonly hash: Hex
  readonly facts: TransactionFacts
}

// Bytes are base64url, because a stream sends the cursors of up to 20 transactions in one header.
const hash = bytes(32) as unknown as z.ZodType<Hex, string>
const from = bytes(20).pipe(address)
const integer = z.string().regex(/^(0|[1-9]\d{0,77})$/)
const blockNumber = z.int().min(0)

const schema = z.tuple([
  z.literal(1),
  z.literal(Network.chainIds),
  hash,
  from,
  z.int().min(0),
  z.tuple([hash, hash.nullable(), integer.nullable()]).nullable(),
  z.tuple([blockNumber, hash]).nullable(),
  blockNumber.nullable(),
  // The time since which the transaction is unseen, and a bound of an incomplete search; absent without them. Cursors of earlier releases do not have it.
  z.int().min(0).nullable().optional(),
  blockNumber.optional(),
])

/** Returns a cursor as text: base64url of its JSON. It is not signed, since a caller could only mislead itself. */
export function formatCursor({ chainId, hash: transactionHash, facts }: TrackingCursor): string {
  const { call, included, unusedAt, unseenSinceSeconds, usedBy } = facts
  const content: z.input<typeof schema> = [
    1,
    chainId,
    toText(transactionHash),
    toText(facts.from),
    facts.nonce,
    call
      ? [
          toText(call.callHash),
          call.intentHash ? toText(call.intentHash) : null,
          call.deadlineSeconds?.toString() ?? null,
        ]
      : null,
    included ? [Number(included.number), toText(included.hash)] : null,
    unusedAt === undefined ? null : Number(unusedAt),
  ]
  if (unseenSinceSeconds !== undefined) content[8] = Number(unseenSinceSeconds)
  if (usedBy !== undefined) content[9] = Number(usedBy)
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** Returns the cursor of a text. @throws `svc/invalid-request` if the text is not a cursor */
export function parseCursor(text: string): TrackingCursor {
  const { data } = schema.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!data) {
    throw Errors.invalidRequest({ field: 'cursor', value: text, reason: '`transaction/track` did not return it' })
  }
  const [, chainId, transactionHash, sender, nonce, call, included, unusedAt, unseenSince, usedBy] = data
  return {
    chainId,
    hash: transactionHash,
    facts: {
      from: sender,
      nonce,
      call: call
        ? { callHash: call[0], intentHash: call[1] ?? undefined, deadlineSeconds: toBigInt(call[2]) }
        : undefined,
      included: included ? { number: BigInt(included[0]), hash: included[1] } : undefined,
      unusedAt: toBigInt(unusedAt),
      unseenSinceSeconds: toBigInt(unseenSince),
      usedBy: toBigInt(usedBy),
    },
  }
}

/** Returns the schema of a number of bytes as base64url without padding, parsed to hex. */
function bytes(length: number) {
  return z
    .string()
    .length(Math.ceil((length * 4) / 3))
    .regex(/^[\w-]+$/)
    .overwrite((text) => `0x${Buffer.from(text, 'base64url').toString('hex')}`)
}

function toText(hex: Hex): string {
  return Buffer.from(hex.slice(2), 'hex').toString('base64url')
}

function toBigInt(value: string | number | null | undefined): bigint | undefined {
  return value === null || value === undefined ? undefined : BigInt(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
