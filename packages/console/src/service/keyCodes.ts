/** The codes of errors that another API key resolves. */
export const keyCodes: ReadonlySet<string> = new Set([
  'svc/unauthorized',
  'svc/key-revoked',
  'svc/key-expired',
  'svc/forbidden-scope',
  'svc/address-forbidden',
  'svc/origin-forbidden',
])
