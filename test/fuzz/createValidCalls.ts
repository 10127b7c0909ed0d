import type { LocalChain } from '@agio/localnet'
import { findOperation } from '../contract/openApi.ts'
import { validInputs } from '../contract/validInputs.ts'

type Input = Readonly<Record<string, unknown>>

const mutations = /^transaction\.broadcast|^swap\.execute$|^admin\.keys\.(create|rotate|revoke)$/

const application = { name: 'Shop', email: 'dev@shop.example', useCase: 'payouts', expectedVolume: '1,000 a day' }
const limits = { requests: 1000, windowSeconds: 60, burstPerSecond: 50, monthlyQuota: 5_000_000 }

/** Valid calls of every operation over both transports; admin operations only with a key to apply them to. */
export function createValidCalls(chain: LocalChain, { signed, keyId }: createValidCalls.Options): readonly ValidCall[] {
  const inputs = validInputs(chain)
  const { tokenIn, tokenOut, amountIn } = inputs['convert.preview']
  const sent = { chainId: chain.chainId, signedTransaction: signed }
  const conversion = { ...sent, tokenIn, tokenOut, amountIn, expectedAmountOut: '650.874400' }
  const calls: Readonly<Record<string, Input>> = {
    ...inputs,
    'transaction.status': { chainId: chain.chainId, transactionHash: `0x${'12'.repeat(32)}` },
    'transaction.broadcast': sent,
    'transaction.broadcastConvert': conversion,
    'swap.execute': conversion,
    ...(keyId !== undefined && {
      'admin.stats': { month: '2026-11' },
      'admin.keys.create': { ...application, tier: 'production', limits },
      'admin.keys.rotate': { id: keyId, overlapSeconds: 60 },
      'admin.keys.revoke': { id: 'key_none' },
    }),
  }
  return Object.entries(calls).flatMap(([operation, input]) => [toRest(operation, input), toTrpc(operation, input)])
}

export declare namespace createValidCalls {
  type Options = {
    /** A signed transaction that no node mines. */
    readonly signed: string
    /** A key that may be rotated. */
    readonly keyId?: string
  }
}

function toRest(operation: string, input: Input): ValidCall {
  const { method, path } = findOperation(operation)
  const rest = { ...input }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return value
  })
  const common = { transport: 'REST', operation, path: filled } as const
  if (method === 'POST') return { ...common, method, place: 'body', fields: toFields(rest) }
  const fields: Pairs = Object.entries(rest).map(([name, value]) => [name, String(value)])
  return { ...common, method: 'GET', place: 'query', fields }
}

function toTrpc(operation: string, input: Input): ValidCall {
  const common = { transport: 'tRPC', operation, path: `/trpc/${operation}`, fields: toFields(input) } as const
  if (mutations.test(operation)) return { ...common, method: 'POST', place: 'body' }
  return { ...common, method: 'GET', place: 'input' }
}

function toFields(input: Input): Pairs {
  return Object.entries(input).map(([name, value]) => [JSON.stringify(name), JSON.stringify(value)])
}

/** A valid call of an operation, in parts that can be corrupted individually. */
export type ValidCall = {
  readonly transport: 'REST' | 'tRPC'
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The location of the input: query parameters, JSON in a query parameter, or JSON in the body. */
  readonly place: 'query' | 'input' | 'body'
  /** The input: names and values as plain text for a query, as JSON text otherwise. */
  readonly fields: Pairs
}

/** Names and values, in order. A name may be repeated. */
export type Pairs = readonly (readonly [name: string, value: string])[]
