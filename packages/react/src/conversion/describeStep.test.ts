import { describe, expect, it } from 'vitest'
import { explainSkipped, toStepStatus, toStepTitle } from './describeStep.ts'
import { quote, toStep } from './testSteps.ts'

const approval = {
  kind: 'approve',
  purpose: 'approve',
  token: quote.tokenIn,
  spender: quote.spender,
  amount: '100.000000',
} as const
const permit = {
  kind: 'permit',
  scheme: 'permit',
  token: quote.tokenIn,
  spender: quote.spender,
  amount: '100',
} as const
const transactionHash = '0x01'
const rejected = {
  code: 'wallet/rejected',
  message: 'Refused',
  userMessage: 'Refused.',
  details: { method: 'eth_signTypedData_v4' },
  retryable: true,
  action: 'retry',
} as const

const toTitle = (step: Parameters<typeof toStep>[0]) => toStepTitle(toStep(step), 'Testnet')

describe('toStepTitle', () => {
  it('each kind of step says what it does', () => {
    expect([
      toTitle({ kind: 'quote', status: 'done', quote, isRequote: false }),
      toTitle({ kind: 'quote', status: 'needed' }),
      toTitle({ kind: 'switch-chain', status: 'needed', from: 2, to: quote.chainId }),
      toTitle({ ...approval, purpose: 'reset', status: 'needed' }),
      toTitle({ ...approval, status: 'needed' }),
      toTitle({ ...permit, status: 'needed' }),
      toTitle({ kind: 'batch', status: 'needed' }),
      toTitle({ kind: 'convert', status: 'needed' }),
      toTitle({ kind: 'confirm', status: 'needed' }),
      toTitle({ kind: 'confirm', status: 'needed', transactionHash }),
    ]).toMatchInlineSnapshot(`
      [
        "Accept the quote",
        "Renew the expired quote",
        "Switch the wallet to Testnet",
        "Reset the approval of tAUD",
        "Approve 100 tAUD for the router",
        "Sign the permit for 100 tAUD",
        "Approve and convert tAUD in one batch",
        "Convert tAUD to tUSD",
        "Find the transaction",
        "Wait for confirmation",
      ]
    `)
  })
})

describe('toStepStatus', () => {
  it('a quote says its limit', () => {
    expect(toStepStatus(toStep({ kind: 'quote', status: 'done', quote, isRequote: true }))).toBe('At least 64.9 tUSD')
    const exactOut = { ...quote, mode: 'exact-out', minAmountOut: undefined, maxAmountIn: '100.500000' } as const
    const step = toStep({ kind: 'quote', status: 'done', quote: exactOut, isRequote: true })
    expect(toStepStatus(step)).toBe('At most 100.5 tAUD')
  })

  it('a step that waits for the wallet says so only while the conversion runs', () => {
    const step = toStep({ kind: 'convert', status: 'waiting-for-wallet' })
    expect(toStepStatus(step)).toBe('Confirm in your wallet')
    expect(toStepStatus(step, { isOver: true })).toBe('Wallet prompted')
  })

  it('a transaction is sent, waited for, or searched for without a known hash', () => {
    expect(toStepStatus(toStep({ kind: 'convert', status: 'sent', transactionHash }))).toBe('Sent')
    expect(toStepStatus(toStep({ kind: 'confirm', status: 'needed', transactionHash }))).toBe(
      'Waiting for confirmation',
    )
    expect(toStepStatus(toStep({ kind: 'confirm', status: 'needed' }))).toBe('Searching')
    const waiting = [
      { ...approval, status: 'waiting-for-signers' },
      { kind: 'confirm', status: 'waiting-for-signers' },
    ] as const
    for (const step of waiting) expect(toStepStatus(toStep(step))).toBe('Waiting for other signers')
    const unindexed = { field: 'receipt', expected: 'a receipt', actual: 'none' }
    const warning = toStep({ kind: 'confirm', status: 'warning', transactionHash, ...unindexed })
    expect(toStepStatus(warning)).toBe('The network has no receipt yet')
    const replaced = { kind: 'confirm', status: 'sent', transactionHash, replaced: '0x02' } as const
    expect(toStepStatus(toStep({ ...replaced, replacement: 'speed-up' }))).toBe('Sped up')
    expect(toStepStatus(toStep({ ...replaced, replacement: 'cancel' }))).toBe('Cancellation sent')
  })

  it('a failure says what happened', () => {
    const step = toStep({ kind: 'convert', status: 'failed', error: rejected })
    expect(toStepStatus(step)).toBe('Rejected in wallet')
  })
})

describe('explainSkipped', () => {
  it('a rejected permit says what follows', () => {
    expect(explainSkipped(toStep({ ...permit, status: 'skipped', error: rejected }))).toBe(
      'Rejected in wallet: an approval follows instead.',
    )
  })

  it('no other step is explained', () => {
    expect(explainSkipped(toStep({ ...permit, status: 'done' }))).toBeUndefined()
  })
})
