import type { ErrorAction } from '../api/schemas.ts'
import { AgioError, type AgioErrorDetails, type ClientErrorDetails } from './AgioError.ts'

const catalogue: { readonly [Code in keyof ClientErrorDetails]: Entry } = {
  'wallet/rejected': { retryable: true, action: 'retry' },
  'wallet/wrong-chain': { retryable: true, action: 'retry' },
  'wallet/account-changed': { retryable: true, action: 'retry' },
  'wallet/nonce-changed': { retryable: false, action: 'wait' },
  'wallet/failed': { retryable: true, action: 'retry' },
  'network/unreachable': { retryable: true, action: 'retry' },
  'network/invalid-response': { retryable: false, action: 'fix_input' },
  'convert/mismatch': { retryable: false, action: 'requote' },
  'convert/aborted': { retryable: true, action: 'retry' },
  'convert/replaced': { retryable: false, action: 'requote' },
  'convert/dropped': { retryable: true, action: 'requote' },
  'convert/invalid-step': { retryable: false, action: 'fix_input' },
}

type Entry = { readonly retryable: boolean; readonly action: ErrorAction }

/** Creates an error of the client. */
export function clientError<Code extends keyof ClientErrorDetails>(
  code: Code,
  message: string,
  { cause, ...details }: AgioErrorDetails<Code> & { readonly cause?: unknown },
): AgioError<Code> {
  const { status, retryAfterSeconds }: { status?: number; retryAfterSeconds?: number } = details
  return new AgioError(code, `${code}: ${message}`, {
    ...catalogue[code],
    details: details as unknown as AgioErrorDetails<Code>,
    status,
    retryAfterSeconds,
    cause,
  })
}
