import { errorCatalogue, type ErrorCode } from '@agio/core'
import type { Answer } from './Answer.ts'

/** Tells what is wrong with a failure's envelope, if anything: it must be as the catalogue has it. */
export function judgeFailure(body: unknown, { status, headers }: Answer): string | undefined {
  if (typeof body !== 'object' || body === null || !('code' in body)) return 'it is not in the envelope'
  const code = String(body.code)
  if (!Object.hasOwn(errorCatalogue, code)) return `its code ${code} is not of the catalogue`
  const entry = errorCatalogue[code as ErrorCode]
  const { success, error, type, retryable, action, requestId } = body as Readonly<Record<string, unknown>>
  const checks = {
    success: success === false,
    status: status === entry.status,
    error: typeof error === 'string' && error.startsWith(`${code}: Cannot `),
    type: type === `/docs/errors#${code.slice('svc/'.length)}`,
    retryable: retryable === entry.retryable,
    action: action === entry.action,
    requestId: requestId === headers['x-request-id'],
    'media type': headers['content-type'] === 'application/json',
  }
  const wrong = Object.entries(checks).find(([, isRight]) => !isRight)?.[0]
  return wrong === undefined ? undefined : `its ${wrong} is wrong`
}
