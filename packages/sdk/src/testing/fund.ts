/**
 * Adds tokens and native currency to the balances of an account on a local stack (`pnpm start`), and resolves once the
 * service has seen them. Amounts are decimal strings in whole tokens, by symbol. Without an amount of `ETH`, an account
 * with less than 1 ETH gets 1 ETH, for gas.
 *
 * @throws `Error` with the reason: no local stack responds, an unknown token, an invalid address or amount
 *
 * @example
 * await fund(wallet.address, { tAUD: '1000' })
 * await fund(wallet.address, { tAUD: '1000', ETH: '0' }, { chainId: 421614 })
 */
export async function fund(
  address: `0x${string}`,
  amounts: Readonly<Record<string, string>>,
  { chainId, url = 'http://127.0.0.1:3000', adminKey = 'local-admin-key' }: Options = {},
): Promise<void> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/local/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-admin-key': adminKey },
    body: JSON.stringify({ chainId, address, amounts }),
  }).catch((cause: unknown) => {
    throw refuse(address, `no local stack responds at ${url}. Start one with pnpm start, or pass its url`, { cause })
  })
  const { success, code, error } = (await response.json().catch(() => ({}))) as Answer
  if (success === true) return
  if (code === 'svc/not-found' || typeof error !== 'string')
    throw refuse(address, `the server at ${url} is not a local stack, which pnpm start starts`)
  throw refuse(address, error)
}

type Options = {
  /** Default: the first chain of the stack. */
  readonly chainId?: number | undefined
  /** Base URL of the local stack. Default: `http://127.0.0.1:3000`. */
  readonly url?: string | undefined
  /** Admin key of the local stack. Default: `local-admin-key`. */
  readonly adminKey?: string | undefined
}

type Answer = { readonly success?: unknown; readonly code?: unknown; readonly error?: unknown }

function refuse(address: string, reason: string, options?: ErrorOptions): Error {
  return new Error(`Cannot fund ${address}: ${reason}`, options)
}
