import { errorCatalogue, errorClasses } from '@agio/localnet/stacks'
import { AgioError, type AgioErrorCode } from '@agio/sdk'
import { readFileSync } from 'node:fs'
import { expect, it, test } from 'vitest'
import { toPrintable } from '../output/print.ts'
import { CommandError, formatError, toExitCode } from './CommandError.ts'

const fields = { retryable: false, action: 'fix_input' } as const

function fail(code: string, more: Readonly<Record<string, unknown>> = {}): AgioError {
  return new AgioError(code as AgioErrorCode, `${code}: Cannot`, { ...fields, details: {}, ...more })
}

test.each([
  ['network/unreachable', 5],
  ['wallet/rejected', 7],
  ['wallet/nonce-changed', 9],
])('the exit code of %s is %i', (code, exitCode) => {
  expect(toExitCode(fail(code))).toBe(exitCode)
})

it('each code of the service has the exit code of its class in the catalogue', () => {
  for (const [code, entry] of Object.entries(errorCatalogue)) {
    expect([code, toExitCode(fail(code))]).toEqual([code, errorClasses[entry.class].exitCode])
  }
})

it('an error has the exit code 9 if the transaction may still be mined, with any code', () => {
  const transactionHash = `0x${'ab'.repeat(32)}`
  expect(toExitCode(fail('svc/insufficient-gas', { action: 'resume' }))).toBe(9)
  expect(toExitCode(fail('svc/upstream-timeout', { action: 'retry', details: { transactionHash } }))).toBe(9)
  expect(toExitCode(fail('svc/upstream-timeout', { action: 'retry', details: {} }))).toBe(5)
})

test.each([
  ['fix_input', 2],
  ['requote', 3],
  ['fund', 4],
  ['approve', 4],
  ['retry', 5],
  ['wait', 6],
] as const)('a code of a newer service with the action %s has the exit code %i', (action, exitCode) => {
  expect(toExitCode(fail('svc/new-code', { action }))).toBe(exitCode)
})

it('errors of the command have the exit code of their class, and other errors 1', () => {
  expect(toExitCode(new CommandError('wallet', 'Cancelled'))).toBe(7)
  expect([new Error('defect'), 'text', undefined].map(toExitCode)).toEqual([1, 1, 1])
})

it('an error is printed as lines with code, message, action and request id, or as one JSON object', () => {
  const error = fail('svc/stale-price', { requestId: 'id-1', action: 'wait' })
  expect(formatError(error, { json: false })).toBe('svc/stale-price: Cannot\naction: wait\nrequest id: id-1')
  expect(JSON.parse(formatError(error, { json: true }))).toEqual({
    code: 'svc/stale-price',
    message: 'svc/stale-price: Cannot',
    action: 'wait',
    retryable: false,
    requestId: 'id-1',
    details: {},
    exitCode: 3,
  })
  expect(formatError(new CommandError('input', 'Pass --yes'), { json: false })).toBe('Pass --yes')
})

it('each refused field of a request has its line', () => {
  const errors = [
    { field: 'name', message: 'Cannot' },
    { field: 'email', message: 'Cannot read email:\nit is missing' },
  ]
  const error = fail('svc/invalid-request', { details: { field: 'name', errors } })
  expect(formatError(error, { json: false })).toBe(
    String.raw`svc/invalid-request: Cannot
Cannot read email:\nit is missing
action: fix_input`,
  )
})

it('the page of the command has the exit codes of all classes', () => {
  const page = readFileSync(new URL('../../../../docs/develop/command.md', import.meta.url), 'utf8')
  for (const [name, { exitCode, meaning }] of Object.entries(errorClasses)) {
    expect(page).toContain(`| ${exitCode} | \`${name}\` | ${meaning} |`)
  }
})

it('the message of a service is printed in one line without control characters, which could change what the terminal shows', () => {
  const message = 'svc/internal: \u001b[2K\u009b1A\u202e\r\nSent: 0x01\u007f'
  const error = new AgioError('svc/internal', message, { ...fields, details: {} })
  const [line, action] = formatError(error, { json: false }).split('\n')
  expect(line).toBe(String.raw`svc/internal: \u001b[2K\u009b1A\u202e\u000d\nSent: 0x01\u007f`)
  expect(action).toBe('action: fix_input')
})

it('JSON that is printed without control characters has the same value', () => {
  const value = { message: '\u001b[2K\u009b1A\u202e\t\n\u007f' }
  const printed = toPrintable(JSON.stringify(value))
  expect(printed).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(printed)).toEqual(value)
})
