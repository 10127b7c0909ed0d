import type { StepContent } from '@agio/sdk'
import { describe, expect, it } from 'vitest'
import { listRows } from './listRows.ts'
import { quote, toStep } from './testSteps.ts'

const approval = { kind: 'approve', token: quote.tokenIn, spender: quote.spender, amount: '100' } as const
const transactionHash = '0x01'

const toRows = (...contents: readonly StepContent[]) =>
  listRows(contents.map((content) => toStep(content))).map(({ step }) => `${step.kind} ${step.status}`)

describe('listRows', () => {
  it('each action of a conversion is one row, with its newest status', () => {
    expect(
      toRows(
        { kind: 'quote', status: 'done', quote, isRequote: false },
        { ...approval, purpose: 'approve', status: 'needed' },
        { ...approval, purpose: 'approve', status: 'waiting-for-wallet' },
        { ...approval, purpose: 'approve', status: 'sent', transactionHash },
        { ...approval, purpose: 'approve', status: 'done', transactionHash },
        { kind: 'convert', status: 'needed' },
        { kind: 'convert', status: 'waiting-for-wallet' },
        { kind: 'convert', status: 'sent', transactionHash },
        { kind: 'confirm', status: 'needed', transactionHash },
      ),
    ).toEqual(['quote done', 'approve done', 'convert sent', 'confirm needed'])
  })

  it('the reset of an approval and the approval are two rows', () => {
    expect(
      toRows(
        { ...approval, purpose: 'reset', status: 'sent', transactionHash },
        { ...approval, purpose: 'approve', status: 'needed' },
      ),
    ).toEqual(['approve sent', 'approve needed'])
  })

  it('a quote that is renewed twice has a row for each time', () => {
    const renewed = { kind: 'quote', status: 'done', quote, isRequote: true } as const
    expect(toRows({ kind: 'quote', status: 'needed' }, renewed, { kind: 'quote', status: 'needed' }, renewed)).toEqual([
      'quote done',
      'quote done',
    ])
  })

  it('a needed step that did not happen has no row', () => {
    expect(toRows({ kind: 'convert', status: 'needed' }, { kind: 'quote', status: 'needed' })).toEqual(['quote needed'])
  })
})
