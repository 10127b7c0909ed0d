import { Errors, type ServiceError } from '@agio/core'
import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { expect, test } from 'vitest'
import { toNodeError } from './createChainOperator.ts'

const call = { body: {}, url: 'http://127.0.0.1:1' }
const refusal = new RpcRequestError({ ...call, error: { code: -32_000, message: 'no' } })

test.each([
  ['svc/upstream-timeout', new TimeoutError(call)],
  ['svc/upstream-timeout', new BaseError('while reading', { cause: new TimeoutError(call) })],
  ['svc/upstream-unavailable', new BaseError('while reading', { cause: new HttpRequestError(call) })],
  ['svc/upstream-error', refusal],
  ['svc/upstream-error', new SuppressedError(refusal, new Error('an earlier one'))],
])('toNodeError returns %s for an error of the node, with a message without a URL', (code, error) => {
  const named = toNodeError(error) as ServiceError
  expect(named).toMatchObject({ code })
  expect(named.message).toMatch(/^Cannot change the chain: its node [a-z ]+$/)
})

test.each([Errors.pathNotFound('/unknown'), new TypeError('of our own')])(
  'toNodeError returns an error that is not of the node unchanged: %s',
  (error) => {
    expect(toNodeError(error)).toBe(error)
  },
)
