import type { AgioQuoteData } from './AgioQuote.ts'
import { isObject } from '../errors/isObject.ts'

/**
 * Returns the reason why a value is not a quote of this package, or undefined. Only the fields that are read before the
 * first request are checked.
 */
export function findQuoteFlaw(value: unknown): string | undefined {
  if (!isObject(value)) return value === undefined ? 'it is missing' : 'it is not an object'
  if (typeof value['then'] === 'function') return 'it is a promise. Await it first'
  const texts = ['quote', 'expiresAt', 'spender', 'mode'] as const satisfies readonly (keyof AgioQuoteData)[]
  const missing = texts.find((name) => typeof value[name] !== 'string')
  if (missing) return `it has no ${missing}`
  const tokens = ['tokenIn', 'tokenOut'] as const
  const token = tokens.find((name) => !isObject(value[name]) || typeof value[name]['address'] !== 'string')
  if (token) return `it has no ${token}`
  if (typeof value['chainId'] !== 'number') return 'it has no chainId'
  if (!Array.isArray(value['route'])) return 'it has no route'
  return isObject(value['request']) ? undefined : 'it has no request. Use a quote from `agio.quote`'
}
