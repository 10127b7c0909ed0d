import { apiKey } from '../harness/settingsFor.ts'
import { sendRaw } from '../edge/sendRaw.ts'
import type { Case, Cases, FailedCall } from './Case.ts'

type TrpcError = { readonly message: string; readonly data: { readonly httpStatus: number; readonly path?: string } }

/** Sends a request line and headers over REST and to `/trpc`; `text` is what follows the path. */
const sendBoth =
  (method: 'GET' | 'POST', text: string): Case =>
  async ({ local: { url } }) => {
    const [rest, trpc] = await Promise.all([
      sendRaw(url, `${method} /api/v1/transaction/broadcast${text}`),
      sendRaw(url, `${method} /trpc/transaction.broadcast${text}`),
    ])
    const { message, data } = (trpc.body as { readonly error: TrpcError }).error
    const { httpStatus, path: _, ...fields } = data
    return {
      REST: { status: rest.status, failure: rest.body as FailedCall['failure'] },
      tRPC: { status: httpStatus, failure: { ...fields, error: message } },
    }
  }

const headers = `X-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n`

/** The codes of requests that cannot be read whole. */
export const unreadCases = {
  'svc/request-timeout': sendBoth(
    'POST',
    ` HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: 100\r\n\r\n{"half`,
  ),
  'svc/expectation-failed': sendBoth('GET', ` HTTP/1.1\r\nHost: localhost\r\n${headers}Expect: more\r\n\r\n`),
  'svc/headers-too-large': sendBoth('GET', `?input=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
} as const satisfies Cases
