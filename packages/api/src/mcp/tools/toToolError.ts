import { Errors, type ServiceError } from '@agio/core'
import { toErrorBody, toServiceError, type ErrorBody } from '../../errors/toErrorBody.ts'
import type { Context } from '../../procedure/Context.ts'
import { findCorrectedInput } from './findCorrectedInput.ts'

/** The refusal of a procedure, with what else the agent has to know. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal'
  readonly extra: object

  constructor(cause: ServiceError, extra: object) {
    super(cause.message, { cause })
    this.extra = extra
  }
}

/** Returns what an agent is told of an error: its code, its sentence, what to do next, and a corrected input if one is known. */
export function toToolError(error: unknown, input: unknown, chains: Context['chains']): ToolError {
  const [cause, extra] = error instanceof ToolRefusal ? [error.cause, error.extra] : [error, {}]
  const { status, message, type: _, ...fields } = toErrorBody(cause, input, chains)
  const { code } = fields
  const correctedInput = findCorrectedInput(toServiceError(cause, input, chains), input, chains)
  return {
    status,
    error: cause,
    told: {
      ...fields,
      message: message.slice(`${code}: `.length),
      ...(isUnknownOutcome(fields, status) && followTransaction),
      help: `agio://errors/${code.slice('svc/'.length)}`,
      ...(correctedInput && { correctedInput }),
      ...extra,
    },
  }
}

type ToolError = { readonly status: number; readonly error: unknown; readonly told: Readonly<Record<string, unknown>> }

/** Whether a transaction may have been sent although the call failed. */
function isUnknownOutcome(fields: Omit<ErrorBody, 'status' | 'message' | 'type'>, status: number): boolean {
  return 'transactionHash' in fields && status >= 500
}

// An agent that retries with another signature pays twice.
const followTransaction = {
  action: 'track',
  retryable: false,
  next: 'The transaction may have been sent. Call track_transaction with this transactionHash. Do not sign another one.',
}

/** Returns the error of a tool that does not exist. */
export function unknownTool(name: string): ServiceError {
  return Errors.invalidRequest({ field: 'name', value: name, action: 'find the tool', reason: 'no tool has this name' })
}
