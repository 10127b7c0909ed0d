// Generated from the router by `pnpm generate`. Do not edit.

/** The procedures that change something, which are never repeated. */
export const mutations: readonly string[] = [
  'swap.execute',
  'transaction.broadcast',
  'transaction.broadcastConvert',
  'admin.keys.create',
  'admin.keys.rotate',
  'admin.keys.revoke',
  'admin.quotes.rotateSecret',
  'admin.quotes.pause',
  'admin.quotes.resume',
]
