import type { Explanation } from '@agio/sdk/messages'

/** Explains the codes that have another meaning for calls with the admin key. Returns undefined for all other codes. */
export function explainAdminError(code: string): Explanation | undefined {
  return explanations[code]
}

const explanations: Readonly<Record<string, Explanation>> = {
  'svc/unauthorized': {
    title: 'The admin key is wrong',
    next: 'Enter the key of an operator. API keys do not work here. A service with ADMIN_PORT accepts it only there.',
    tone: 'danger',
  },
  // Without operators, the service has no operator endpoints.
  'svc/not-found': {
    title: 'This service has no admin key',
    next: 'To manage keys here, start the service with ADMIN_KEY or ADMIN_KEYS.',
    tone: 'warning',
  },
  'svc/rate-limited': {
    title: 'Too many attempts',
    next: 'This address has sent too many wrong keys. Valid API keys keep working.',
    tone: 'warning',
  },
}
