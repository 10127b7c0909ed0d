import type { Explanation } from '../errors/explainError.ts'

/** Explains why a wallet did not connect, or did not switch its network, by the code of EIP-1193 that it returned. */
export function explainConnectError(error: unknown): Explanation {
  const code = findCode(error)
  if (code === 4001) return { title: 'You refused in the wallet', next: 'Try again when you want.', tone: 'neutral' }
  if (code === -32_002) {
    return { title: 'The wallet asks already', next: 'Open it, and answer what it asks.', tone: 'warning' }
  }
  if (code === 4902) {
    return { title: 'The wallet does not know this network', next: 'Add the network in the wallet.', tone: 'warning' }
  }
  if (code === 4900 || code === 4901) {
    return { title: 'The wallet does not reach its node', next: 'Check its network, and try again.', tone: 'danger' }
  }
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return { title: 'The wallet did not do that', next: message, tone: 'danger' }
}

/** Errors of libraries wrap that of the wallet. */
function findCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  return typeof code === 'number' ? code : findCode(cause)
}
