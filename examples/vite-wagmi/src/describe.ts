import { isAgioError, type Step } from '@agio/sdk'

/** Describes a step for the user. */
export function describeStep(step: Step): string {
  if (step.status === 'waiting-for-wallet') return `Confirm in your wallet: ${names[step.kind]}`
  if (step.status === 'waiting-for-signers') return 'Waiting for other signers'
  if (step.kind === 'queue' && step.status === 'needed') return 'Waiting for another conversion'
  if (step.kind === 'confirm' && step.status === 'done') return `Received ${step.receipt.amountOut}`
  if (step.status === 'failed') return describeError(step.error)
  return `${names[step.kind]}: ${step.status}`
}

const names = {
  quote: 'the quote',
  queue: 'another conversion',
  'switch-chain': 'the network',
  approve: 'the approval',
  permit: 'the signature',
  batch: 'the conversion',
  convert: 'the conversion',
  confirm: 'the transaction',
} as const satisfies Record<Step['kind'], string>

/** Explains an error and what to do. */
export function describeError(error: unknown): string {
  if (!isAgioError(error) && !isStepError(error)) return String(error)
  if (error.action === 'resume') return 'The conversion may have been sent. Reload the page to resume it.'
  return error.userMessage
}

type StepError = Extract<Step, { status: 'failed' }>['error']

function isStepError(error: unknown): error is StepError {
  return typeof error === 'object' && error !== null && 'code' in error
}
