import type { AgioOptions, ChainId, Eip1193Provider, Wallet } from '@agio/sdk'
import { fromRaw, trim } from '../amount/Decimal.ts'
import { toQuery } from '../poll/queries.ts'
import { useAgio } from '../provider/AgioProvider.tsx'
import { usePoll, type Polled } from './usePoll.ts'
import { useWalletState } from './useWalletState.ts'

// About a block. Balances also change without this page, for example when tokens arrive.
const refreshMs = 4000

// Some wallets never answer while their connection is lost.
const timeLimitMs = 10_000

/**
 * Returns the balances of a wallet in whole tokens, by token address. They are read from the node of `nodes` for the network,
 * or else through the wallet, which costs no call of the API key. Then they are known only while the wallet is on that
 * network. Components that show the same balances share the requests.
 *
 * @example
 * const { data: balances } = useBalances({ chainId: 84532, tokens: useTokens({ chainId: 84532 }), wallet })
 * return balances?.[tokenIn]
 */
export function useBalances({ chainId, tokens, wallet }: useBalances.Input): Polled<Balances> {
  const { nodes } = useAgio()
  const { address, chainId: walletChainId } = useWalletState(wallet)
  const node = nodes?.[chainId] ?? (walletChainId === chainId ? wallet : undefined)
  const query =
    node && address && tokens.length > 0
      ? toQuery(['balances', chainId, address, tokens.map((token) => token.address)], refreshMs, async ({ signal }) => {
          const entries = tokens.map(async (token) => [
            token.address,
            await readBalance(node, { address, token, signal }),
          ])
          return Object.fromEntries((await Promise.all(entries)) as [string, string][]) as Balances
        })
      : undefined
  return usePoll(query)
}

export declare namespace useBalances {
  type Token = { readonly address: `0x${string}`; readonly decimals: number }
  type Input = {
    readonly chainId: ChainId
    readonly tokens: readonly Token[]
    readonly wallet: Wallet | undefined
  }
}

/** Balances in whole tokens, by token address. */
export type Balances = Readonly<Partial<Record<`0x${string}`, string>>>

type Reading = { readonly address: `0x${string}`; readonly token: useBalances.Token; readonly signal: AbortSignal }

async function readBalance(node: Node, { address, token, signal }: Reading): Promise<string> {
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
  const request = { method: 'eth_call', params: [{ to: token.address, data }, 'latest'] }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)])
  const raw = await (typeof node === 'string' ? post(node, request, limit) : endWith(limit, node.request(request)))
  return trim(fromRaw(BigInt(String(raw)), token.decimals))
}

type Node = NonNullable<NonNullable<AgioOptions['nodes']>[ChainId]> | Eip1193Provider

/** Waits for an answer until a signal aborts. @throws the reason of the signal */
async function endWith(signal: AbortSignal, answer: Promise<unknown>): Promise<unknown> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return await Promise.race([answer, promise])
}

async function post(url: string, request: object, signal: AbortSignal): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...request })
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal })
  return ((await response.json()) as { readonly result?: unknown }).result
}
