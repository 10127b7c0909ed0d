import { AgioError } from '@agio/sdk'
import { expect, it } from 'vitest'
import { explainError } from './explainError.ts'
import { toFailure } from './toFailure.ts'

const failure = { code: 'svc/internal', message: 'It failed', details: {} }

it('a rejected key is explained as unknown, and a missing key as required', () => {
  expect(explainError({ ...failure, code: 'svc/unauthorized' }).title).toBe('A valid API key is required')
  expect(explainError({ ...failure, code: 'svc/unauthorized', requestId: 'req_1' }).title).toMatch(/does not know/)
})

it('the code, the details and the request are found in a wrapped error', () => {
  const error = new AgioError('svc/no-route', 'No pool', {
    details: {},
    retryable: false,
    action: 'fix_input',
    requestId: 'req_1',
  })
  const wrapped = toFailure(new Error('TRPC', { cause: error }))
  expect(wrapped).toMatchObject({ code: 'svc/no-route', message: 'No pool', requestId: 'req_1', action: 'fix_input' })
})

it('an error without a code is shown by its message', () => {
  expect(toFailure(new TypeError('Broken'))).toEqual({ code: 'page/failed', message: 'Broken', details: {} })
  expect(toFailure('Broken').message).toBe('Broken')
})
