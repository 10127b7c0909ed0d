import { describe, expect, it } from 'vitest'
import { AgioError, clientError, type AgioErrorAction, type AgioErrorCode } from './AgioError.ts'
import { toStepError } from '../conversion/Step.ts'
import { toUserMessage, userMessages } from './userMessages.ts'

const codes = Object.keys(userMessages) as AgioErrorCode[]
const actions = ['retry', 'wait', 'requote', 'fix_input', 'fund', 'approve', 'resume'] as const
// Fails to compile if an action is missing.
actions satisfies readonly AgioErrorAction[]

describe('the message of an error for users', () => {
  it('has at most 90 characters, and each sentence ends with one full stop, for every code and action', () => {
    const texts = codes.flatMap((code) => actions.map((action) => toUserMessage(code, action)))
    expect(texts.filter((text) => text.length > 90)).toEqual([])
    expect(texts.filter((text) => !/^(?:[A-Z][^.]+\.)(?: [A-Z][^.]+\.){0,2}$/.test(text))).toEqual([])
  })

  it('says what happened and what to do next, in the error and in its step', () => {
    const error = clientError('convert/dropped', 'Cannot convert: 0x01 was not mined', {})
    expect(error.userMessage).toBe('The transaction was not mined in time. Get a new quote.')
    expect(toStepError(error)).toMatchObject({ userMessage: error.userMessage })
  })

  it('says that a transaction may have been sent, for any code', () => {
    for (const code of codes) expect(toUserMessage(code, 'resume')).toMatch(/may have sent a transaction: resume it\.$/)
  })

  it('follows from the action for a code of a newer service', () => {
    const fields = { details: {}, retryable: true, action: 'wait' } as const
    const error = new AgioError('svc/new' as AgioErrorCode, 'svc/new: New', fields)
    expect(error.userMessage).toBe('That did not work. Try again later.')
  })
})
