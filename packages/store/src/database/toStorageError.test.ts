import { Errors } from '@agio/core'
import { expect, it } from 'vitest'
import { toStorageError } from './toStorageError.ts'

const rejection = (code: string) => Object.assign(new Error('rejected'), { code, severity: 'ERROR' })
const wrap = (cause: unknown) => new Error('Failed query', { cause })

it.each([
  ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['a connection failure of PostgreSQL', rejection('08006')],
  ['too many connections', rejection('53300')],
  ['a shutdown', rejection('57P01')],
  ['a start-up', rejection('57P03')],
  ['a read-only server', rejection('25006')],
  ['a time-out without a code', new Error('Query read timeout')],
  ['an error of five characters that PostgreSQL did not send', Object.assign(new Error('write'), { code: 'EPIPE' })],
])('%s becomes svc/storage-unavailable, also as the cause of another error', (_, error) => {
  for (const failure of [error, wrap(error), wrap(wrap(error))]) {
    expect(toStorageError(failure)).toMatchObject({ code: 'svc/storage-unavailable', cause: failure })
  }
})

it.each([
  ['53100', 'Cannot write keys and usage: the disk of the database is full'],
  ['25006', 'Cannot write keys and usage: the database is read-only'],
  ['57P01', 'Cannot read keys and usage: the database cannot be reached'],
])('the message of an error with SQLSTATE %s names what the database cannot do', (code, message) => {
  expect(toStorageError(wrap(rejection(code)))).toMatchObject({ message })
})

it.each([
  ['a unique violation', '23505'],
  ['a syntax error', '42601'],
  ['a serialization failure', '40001'],
])('%s stays the same error: the statement was at fault', (_, code) => {
  const error = wrap(rejection(code))
  expect(toStorageError(error)).toBe(error)
})

it('toStorageError returns an error of the service unchanged', () => {
  const error = Errors.notFound({ action: 'find key x', reason: 'no key has this id' })
  expect(toStorageError(error)).toBe(error)
})
