import type { Chain } from '@agio/chain'
import { Errors } from '@agio/core'
import { expect, it } from 'vitest'
import { deprecatedProcedures } from '../convert/deprecatedProcedures.ts'
import { prepareProcedure } from '../procedure/prepareProcedure.ts'
import { broadcast } from './broadcast.ts'
import { broadcastConvert } from './broadcastConvert.ts'

const [tokenIn, tokenOut] = ['0x1000000000000000000000000000000000000001', '0x1000000000000000000000000000000000000002']
const hash = `0x${'12'.repeat(32)}`
const input = { signedTransaction: '0x02', tokenIn, tokenOut, amountIn: '1', expectedAmountOut: '1' }
const failed = { status: 'failed', blockNumber: 1n, blockHash: '0x', gasUsed: 1n, logs: [] }

const operations = {
  'transaction.broadcast': prepareProcedure('transaction.broadcast', broadcast),
  'transaction.broadcastConvert': prepareProcedure('transaction.broadcastConvert', broadcastConvert),
  'swap.execute': prepareProcedure('swap.execute', deprecatedProcedures.execute),
}

type Step = 'getSnapshot' | keyof Chain['transactions']

/** The error of an operation over a chain on which one step fails. */
async function findError(operation: keyof typeof operations, step: Step, error: Error): Promise<unknown> {
  const [base, quote] = [tokenIn, tokenOut].map((address) => ({ token: { address, decimals: 6 } }))
  const failing = { [step]: () => Promise.reject(error) }
  const getSnapshot = async () => ({
    pools: [{ base, quote }],
    tokens: new Map([base, quote].map((side) => [side?.token.address, side?.token])),
  })
  const chain = {
    deployment: { referenceToken: tokenOut },
    pools: { getSnapshot, ...failing },
    transactions: {
      decodeSigned: async () => ({ hash, from: tokenIn }),
      send: async () => {},
      waitForReceipt: async () => failed,
      findFailure: async () => undefined,
      ...failing,
    },
  }
  const { signedTransaction } = input
  const given = operation === 'transaction.broadcast' ? { signedTransaction } : input
  const call = operations[operation]({ context: { chains: { 84532: chain } }, input: given })
  return await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
}

const refusal = { action: 'read the chain', reason: 'its node failed' }
const upstreamErrors = [
  Errors.upstreamError(refusal),
  Errors.upstreamUnavailable(refusal),
  Errors.upstreamTimeout(refusal),
]
const note =
  'the transaction may be mined despite this error; broadcasting the same bytes again is safe, and transaction/track tells its state'

it.each(Object.keys(operations) as (keyof typeof operations)[])(
  'an error of %s after the transaction was decoded has its hash, whichever step fails',
  async (operation) => {
    const steps = ['getSnapshot', 'send', 'waitForReceipt', 'findFailure'] as const
    for (const step of operation === 'transaction.broadcast' ? steps.slice(1) : steps) {
      for (const upstream of upstreamErrors) {
        const error = await findError(operation, step, upstream)
        const { code, message } = upstream
        const details = { transactionHash: hash }
        expect(error, step).toMatchObject({ code, details, message: `${message}; ${note}` })
      }
    }
  },
)

it('an unexpected error of a broadcast is svc/internal with the hash', async () => {
  const cause = new TypeError('boom')
  const error = await findError('transaction.broadcast', 'waitForReceipt', cause)
  expect(error).toMatchObject({ code: 'svc/internal', details: { transactionHash: hash }, cause: { cause } })
})

it('a rejection of the transaction has its hash, and its own message', async () => {
  const required = { action: 'broadcast', costs: 'gas', required: '2', current: '1' }
  const rejections = [
    Errors.nonceTooLow(),
    Errors.underpriced(),
    Errors.insufficientGas(required),
    Errors.invalidTransaction({ reason: 'the node rejects it' }),
  ]
  for (const rejection of rejections) {
    const { code, message, details } = rejection
    const error = await findError('transaction.broadcast', 'send', rejection)
    expect(error).toMatchObject({ code, message, details: { ...details, transactionHash: hash } })
  }
})

it('an error of another code is thrown unchanged', async () => {
  const revert = Errors.poolFrozen()
  expect(await findError('transaction.broadcast', 'send', revert)).toBe(revert)
})

it('an error before the transaction is decoded has no hash', async () => {
  const error = Errors.internal()
  expect(await findError('transaction.broadcast', 'decodeSigned', error)).toBe(error)
})
