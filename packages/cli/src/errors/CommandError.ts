import { errorCatalogue, errorClasses, type ErrorClass, type ErrorCode } from '@agio/localnet/stacks'
import { toLine } from '../output/print.ts'
import { isAgioError, type AgioErrorCode, type AnyAgioError } from '@agio/sdk'

/** An error of the command itself, with the class that sets its exit code. Its message is for users. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly class: ErrorClass

  constructor(errorClass: ErrorClass, message: string, options?: ErrorOptions) {
    super(message, options)
    this.class = errorClass
  }
}

/** The classes of the errors that `@agio/sdk` creates. */
const clientClasses: Readonly<Record<Exclude<AgioErrorCode, ErrorCode>, ErrorClass>> = {
  'wallet/rejected': 'wallet',
  'wallet/wrong-chain': 'wallet',
  'wallet/account-changed': 'wallet',
  'wallet/nonce-changed': 'unknown',
  'wallet/cannot-read': 'wallet',
  'wallet/failed': 'wallet',
  'network/unreachable': 'upstream',
  'network/invalid-response': 'upstream',
  'convert/mismatch': 'upstream',
  'convert/unpinned-contracts': 'input',
  'convert/simulation-failed': 'market',
  'convert/above-max-gas-cost': 'market',
  'convert/too-many-prompts': 'wallet',
  'convert/aborted': 'wallet',
  'convert/replaced': 'wallet',
  'convert/dropped': 'market',
  'convert/invalid-step': 'input',
}

/** The classes of codes that a newer service may return, by their action. */
const actionClasses: Readonly<Record<AnyAgioError['action'], ErrorClass>> = {
  fix_input: 'input',
  requote: 'market',
  wait: 'limit',
  retry: 'upstream',
  fund: 'funds',
  approve: 'funds',
  resume: 'unknown',
}

/** Returns the class of an error; undefined for an error without one, such as a defect of the command. */
export function findErrorClass(error: unknown): ErrorClass | undefined {
  if (error instanceof CommandError) return error.class
  if (!isAgioError(error)) return undefined
  const { code, action, details } = error
  // After a failed broadcast or a conversion that stopped, the transaction may be mined.
  const isSent = 'transactionHash' in details && details.transactionHash !== undefined
  if (action === 'resume' || (action === 'retry' && isSent)) return 'unknown'
  return findCodeClass(code) ?? actionClasses[action]
}

/** Returns the class of a code; undefined for a code of a newer service. */
export function findCodeClass(code: string): ErrorClass | undefined {
  if (Object.hasOwn(clientClasses, code)) return clientClasses[code as keyof typeof clientClasses]
  return Object.hasOwn(errorCatalogue, code) ? errorCatalogue[code as ErrorCode].class : undefined
}

/** Returns the exit code of an error. */
export function toExitCode(error: unknown): number {
  const found = findErrorClass(error)
  return found === undefined ? 1 : errorClasses[found].exitCode
}

/** Formats an error for the error output: as JSON in one line, or as lines with code, message, action and request id. */
export function formatError(error: unknown, { json }: { readonly json: boolean }): string {
  const message = error instanceof Error ? error.message : String(error)
  const exitCode = toExitCode(error)
  const fields = isAgioError(error) ? error : undefined
  if (json) {
    const { code, action, retryable, requestId, details } = fields ?? {}
    return JSON.stringify({ code, message, action, retryable, requestId, details, exitCode })
  }
  if (!fields) return message
  const requestId = fields.requestId === undefined ? [] : [`request id: ${fields.requestId}`]
  // The message begins with the code, and is the message of the first refused field.
  return [toLine(message), ...listOtherErrors(fields.details), `action: ${fields.action}`, ...requestId].join('\n')
}

/** Returns a line for each refused field after the first one. */
function listOtherErrors(details: object): readonly string[] {
  if (!('errors' in details) || !Array.isArray(details.errors)) return []
  return details.errors.slice(1).map((error: { readonly message?: unknown } | null) => toLine(String(error?.message)))
}
