import type { Explanation } from '@agio/sdk/messages'

/** Explains why a wallet did not connect or switch its network, by its EIP-1193 error code. */
export function explainConnectError(error: unknown): Explanation {
  const code = findCode(error)
  if (code === 4001) return { title: 'Rejected in wallet', next: 'Try again when you are ready.', tone: 'neutral' }
  if (code === -32_002) {
    return { title: 'The wallet has an open request', next: 'Open the wallet and answer the request.', tone: 'warning' }
  }
  if (code === 4902) {
    return { title: 'The wallet does not know this network', next: 'Add the network in the wallet.', tone: 'warning' }
  }
  if (code === 4900 || code === 4901) {
    return { title: 'The wallet cannot reach its node', next: 'Check its network and try again.', tone: 'danger' }
  }
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return { title: 'The wallet request failed', next: message, tone: 'danger' }
}

/** Returns the first code in an error and its causes, because libraries wrap the error of the wallet. */
function findCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  return typeof code === 'number' ? code : findCode(cause)
}
