import { Errors } from '@agio/core'
import { expect, it } from 'vitest'
import { findPostgresSentence, toStorageError } from './toStorageError.ts'

const rejection = (code: string) => Object.assign(new Error('rejected'), { code, severity: 'ERROR' })
const wrap = (cause: unknown) => new Error('Failed query', { cause })

it.each([
  ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['a connection failure of PostgreSQL', rejection('08006')],
  ['too many connections', rejection('53300')],
  ['a statement on a connection without its transaction', rejection('25P03')],
  ['a transaction that took too long', rejection('25P04')],
  ['a refused password', rejection('28P01')],
  ['a database that is being replaced', rejection('3D000')],
  ['a serialization failure', rejection('40001')],
  ['a commit without an answer', rejection('40003')],
  ['a lock that is not available', rejection('55P03')],
  ['a read error of the disk', rejection('58030')],
  ['an internal error of the server', rejection('XX000')],
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
  ['57014', 'Cannot read keys and usage: the database cancelled the query'],
  ['40P01', 'Cannot read keys and usage: another transaction changed the same rows'],
])('the message of an error with SQLSTATE %s names what the database cannot do', (code, message) => {
  expect(toStorageError(wrap(rejection(code)))).toMatchObject({ message })
})

it.each([
  ['a unique violation', '23505'],
  ['a syntax error', '42601'],
  ['a statement after a failed one of its transaction', '25P02'],
  ['a constraint that a commit violates', '40002'],
])('%s stays the same error: the statement was at fault', (_, code) => {
  const error = wrap(rejection(code))
  expect(toStorageError(error)).toBe(error)
})

it('toStorageError returns an error of the service unchanged', () => {
  const error = Errors.notFound({ action: 'find key x', reason: 'no key has this id' })
  expect(toStorageError(error)).toBe(error)
})

it('the sentence of PostgreSQL is shown unless it may quote a value', () => {
  const refused = Object.assign(new Error('permission denied for schema public'), { code: '42501', severity: 'ERROR' })
  expect(findPostgresSentence(wrap(refused))).toBe('SQLSTATE 42501: permission denied for schema public')
  const invalid = Object.assign(new Error('invalid input: "SECRET"'), { code: '22P02', severity: 'ERROR' })
  expect(findPostgresSentence(wrap(invalid))).toBe('SQLSTATE 22P02')
  expect(findPostgresSentence(new Error('socket'))).toBeUndefined()
})
