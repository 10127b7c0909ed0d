import { isAgioError, type Step } from '@agio/sdk'

/** Says what a step does, for the user to read. */
export function describeStep(step: Step): string {
  if (step.status === 'waiting-for-wallet') return `Confirm in your wallet: ${names[step.kind]}`
  if (step.kind === 'confirm' && step.status === 'done') return `Received ${step.receipt.amountOut}`
  if (step.status === 'failed') return describeError(step.error)
  return `${names[step.kind]}: ${step.status}`
}

const names = {
  quote: 'the quote',
  'switch-chain': 'the network',
  approve: 'the approval',
  permit: 'the signature',
  batch: 'the conversion',
  convert: 'the conversion',
  confirm: 'the transaction',
} as const satisfies Record<Step['kind'], string>

/** Says what went wrong and what to do, by the code and the action of an error. */
export function describeError(error: unknown): string {
  if (!isAgioError(error) && !isStepError(error)) return String(error)
  if (error.action === 'resume') return 'It may be on its way: reload the page to go on with it.'
  if (error.code === 'wallet/rejected') return 'You refused in the wallet. Nothing was sent.'
  if (error.code === 'svc/below-min-target') return 'The market has moved below your limit. Take a new quote.'
  if (error.action === 'fund') return 'Your balance is too low.'
  return error.message
}

type StepError = Extract<Step, { status: 'failed' }>['error']

function isStepError(error: unknown): error is StepError {
  return typeof error === 'object' && error !== null && 'code' in error
}
