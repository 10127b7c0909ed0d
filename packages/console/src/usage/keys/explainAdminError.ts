import type { Explanation } from '../../errors/explainError.ts'

/** Explains the codes that mean something else for calls with the admin key; undefined for those that do not. */
export function explainAdminError(code: string): Explanation | undefined {
  return explanations[code]
}

const explanations: Readonly<Record<string, Explanation>> = {
  'svc/unauthorized': {
    title: 'The admin key is wrong',
    next: 'Enter the key that the service was started with: its ADMIN_KEY. An API key does not open this part.',
    tone: 'danger',
  },
  // All operations of operators are unknown then.
  'svc/not-found': {
    title: 'This service has no admin key',
    next: 'Its operator can start it with ADMIN_KEY to manage keys here.',
    tone: 'warning',
  },
  'svc/rate-limited': {
    title: 'Too many attempts',
    next: 'This address has sent too many wrong keys. Valid API keys still work from it.',
    tone: 'warning',
  },
}
