import { clientError } from './AgioError.ts'
import { findFlaw, type Shape } from './findFlaw.ts'

/**
 * Asserts that the result of a procedure has the fields that the SDK reads, or that its types promise.
 *
 * @throws `network/invalid-response`
 */
export function assertAnswer(procedure: string, data: unknown, url: string): void {
  const shape = shapes[procedure]
  const flaw = shape && findFlaw(procedure, data, shape)
  if (!flaw) return
  const message = `Cannot read the response of ${url}: ${flaw.field} is not ${flaw.expected}`
  throw clientError('network/invalid-response', message, { url })
}

/** What failed, in the results of mined transactions and in issues. Codes of other packages would be believed. */
export const failureShape: Shape = { code: 'code of the service', message: 'string' }

const mined = {
  'blockNumber?': 'whole number',
  'blockHash?': 'string',
  'blockTimestamp?': 'string',
  'gasUsed?': 'string',
  'failure?': failureShape,
} as const
/** A token in a response. */
export const tokenShape = { address: 'string', symbol: 'string', decimals: 'number' } as const

/** The shapes of the results that are not compared with a quote. */
const shapes: Readonly<Record<string, Shape>> = {
  'transaction.status': { status: 'string', ...mined },
  'transaction.track': {
    transactionHash: 'string',
    status: 'string',
    'from?': 'string',
    'cursor?': 'string',
    'finality?': 'string',
    'replacement?': { transactionHash: 'string', 'kind?': 'string', 'finality?': 'string' },
    ...mined,
  },
  'convert.receipt': {
    transactionHash: 'string',
    status: 'string',
    'tokenIn?': tokenShape,
    'tokenOut?': tokenShape,
    'amountIn?': 'string',
    'amountOut?': 'string',
    'oracleAt?': 'string',
    ...mined,
  },
  'oracle.prices': { chainId: 'number', prices: {}, blockNumber: 'whole number' },
  'pools.get': { address: 'string', token0: tokenShape, token1: tokenShape, reserves: {}, blockNumber: 'whole number' },
}
