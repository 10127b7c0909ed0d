import type { Step } from '@agio/sdk'
import { explainError } from '../errors/explainError.ts'
import { toFailure } from '../errors/toFailure.ts'
import { nameAmount, nameLimit } from './conversionQuote.ts'

/** Returns the title of a step as an instruction: `Approve 100 tAUD for the router`. */
export function toStepTitle(step: Step, networkName: string): string {
  const { tokenIn, tokenOut } = step.state.quote
  if (step.kind === 'quote') {
    return step.status === 'done' && !step.isRequote ? 'Accept the quote' : 'Renew the expired quote'
  }
  if (step.kind === 'queue') return `Wait for another conversion of ${tokenIn.symbol}`
  if (step.kind === 'switch-chain') return `Switch the wallet to ${networkName}`
  if (step.kind === 'approve') return toApprovalTitle(step)
  if (step.kind === 'permit') return `Sign the permit for ${nameAmount(step.amount, step.token)}`
  if (step.kind === 'batch') return `Approve and convert ${tokenIn.symbol} in one batch`
  if (step.kind === 'convert') return `Convert ${tokenIn.symbol} to ${tokenOut.symbol}`
  return step.transactionHash === undefined ? 'Find the transaction' : 'Wait for confirmation'
}

function toApprovalTitle({ purpose, token, amount }: Extract<Step, { kind: 'approve' }>): string {
  return purpose === 'reset'
    ? `Reset the approval of ${token.symbol}`
    : `Approve ${nameAmount(amount, token)} for the router`
}

/** Returns the status of a step in a few words. `isOver` means that the step is no longer active. */
export function toStepStatus(step: Step, { isOver = false } = {}): string {
  if (step.status === 'failed') return explainError(toFailure(step.error)).title
  if (step.status === 'skipped') return 'Skipped'
  if (step.status === 'done') return step.kind === 'quote' ? capitalize(nameLimit(step.quote)) : 'Done'
  if (step.status === 'sent') return step.kind === 'confirm' ? replacements[step.replacement] : 'Sent'
  if (step.status === 'waiting-for-wallet') return isOver ? 'Wallet prompted' : 'Confirm in your wallet'
  if (step.status === 'waiting-for-signers') return isOver ? 'Unknown' : 'Waiting for other signers'
  if (step.status === 'warning' && step.field === 'receipt' && !isOver) return 'The network has no receipt yet'
  if (step.kind === 'queue' && !isOver) return 'Waiting'
  if (step.kind !== 'confirm') return 'Next'
  if (isOver) return 'Unknown'
  return step.transactionHash === undefined ? 'Searching' : 'Waiting for confirmation'
}

/** Explains why a step was skipped and what follows. Returns undefined for any other step. */
export function explainSkipped(step: Step): string | undefined {
  if (step.status !== 'skipped') return undefined
  if (step.kind === 'approve') return 'The allowance is already sufficient.'
  const next = step.kind === 'batch' ? 'the steps follow one by one' : 'an approval follows instead'
  return `${explainError(toFailure(step.error)).title}: ${next}.`
}

const replacements = { 'speed-up': 'Sped up', cancel: 'Cancellation sent' } as const

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
