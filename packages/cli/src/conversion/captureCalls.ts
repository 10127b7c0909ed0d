import { isAgioError, type Agio, type AgioQuote } from '@agio/sdk'
import { createPublicClient, http, numberToHex, type Hex } from 'viem'

/**
 * Returns the calls that a conversion needs, unsigned: a reset and an approval if the allowance is too low, and the conversion.
 * They are checked against the quote and the trusted contracts, as before they are signed.
 *
 * @throws the errors of `agio.convert`
 */
export async function captureCalls(
  agio: Agio,
  quote: AgioQuote,
  { from, nodeUrl }: Options,
): Promise<readonly UnsignedCall[]> {
  const node = createPublicClient({ transport: http(nodeUrl) })
  let captured: readonly UnsignedCall[] | undefined
  const capture = (calls: readonly Call[]): never => {
    captured = calls.map(({ to, data, value = '0x0' }) => ({ chainId: quote.chainId, from, to, data, value }))
    throw refusal
  }
  const answers: Readonly<Record<string, (params: unknown) => unknown>> = {
    eth_requestAccounts: () => [from],
    eth_accounts: () => [from],
    eth_chainId: () => numberToHex(quote.chainId),
    wallet_getCapabilities: () => ({ [numberToHex(quote.chainId)]: { atomic: { status: 'supported' } } }),
    wallet_sendCalls: (params) => capture((params as [{ calls: readonly Call[] }])[0].calls),
    eth_sendTransaction: (params) => capture(params as [Call]),
  }
  const wallet = {
    async request({ method, params }: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
      const answer = answers[method]
      return answer ? answer(params) : await node.request({ method, params } as never)
    },
  }
  try {
    await agio.convert({ quote, wallet, onRefused: 'stop' })
  } catch (error) {
    if (!captured || !isAgioError(error)) throw error
  }
  return captured ?? []
}

type Options = {
  /** The account that will sign. */
  readonly from: Hex
  readonly nodeUrl: string
}

/** A call to sign and send. */
type UnsignedCall = Required<Call> & { readonly chainId: number; readonly from: Hex }

type Call = { readonly to: Hex; readonly data: Hex; readonly value?: Hex | undefined }

// The code of EIP-1193 for a user who rejects a request.
const refusal = Object.assign(new Error('The calls are only printed'), { code: 4001 })
