import { useAgio } from '@agio/react/internal'
import type { AgioQuoteData, Chain } from '@agio/sdk'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { trpc } from '../../service/trpc.ts'
import { Notice } from '../../ui/Notice.tsx'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'
import { assertClaim } from './assertTransaction.ts'
import { explainIssue, type IssueWords } from './explainIssue.ts'
import { type Sending, useSending } from './useSending.ts'

/** Shows what the wallet lacks for a conversion. Approvals are left out, because conversions ask for them. */
export function WalletIssues({ words }: { readonly words: readonly IssueWords[] }) {
  return words
    .filter(({ remedy }) => remedy !== 'approve')
    .map(({ title, text }) => (
      <Notice key={title} tone="warning" title={title}>
        {text}
      </Notice>
    ))
}

/** Returns the descriptions of a quote's issues. */
export function listIssueWords(quote: AgioQuoteData | undefined, { nativeCurrency }: Pick<Chain, 'nativeCurrency'>) {
  if (!quote) return []
  return (quote.issues ?? []).map((issue) => explainIssue(issue, { tokenIn: quote.tokenIn, native: nativeCurrency }))
}

/**
 * Returns the faucet of the network for a wallet that lacks the token to pay.
 *
 * @param options.isShort whether the wallet holds none or too little of the token to pay
 *
 * @param options.onMined refreshes the data that a claim has changed
 */
export function useFaucet({ wallet, chain, isShort, onMined }: useFaucet.Options): Faucet {
  const { reader } = useAgio()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.faucet.pathKey() })
  const claim = useSending({
    wallet,
    onMined: async () => {
      await onMined()
      await refresh()
    },
    build: async (userAddress) => {
      if (!chain) return []
      try {
        const { chainId } = chain
        const { gasLimit, ...built } = await reader.api.faucet.buildClaimAll.query({ chainId, userAddress })
        assertClaim(built, chain.faucet)
        return [{ ...built, gas: BigInt(gasLimit) }]
      } catch (error) {
        // The faucet may have paid elsewhere, and say from when on it pays again.
        await refresh()
        throw error
      }
    },
  })
  const input = wallet && chain?.faucet && { chainId: chain.chainId, userAddress: wallet.address }
  const info = useQuery(trpc.faucet.info.queryOptions((isShort && input) || skipToken, { staleTime: 60_000 }))
  const user = info.data?.user
  // If the faucet cannot be read, the claim says why it is refused.
  const canClaim = isShort && input !== undefined && (user?.canClaim ?? info.isError)
  return { claim, canClaim, nextClaimAt: isShort && user?.canClaim === false ? user.nextClaimAt : undefined }
}

export declare namespace useFaucet {
  type Options = {
    readonly wallet: ConnectedWallet | undefined
    readonly chain: Chain | undefined
    readonly isShort: boolean
    readonly onMined: () => Promise<void>
  }
}

/** The faucet of a network, for one wallet. */
export type Faucet = {
  readonly claim: Sending
  /** Whether the wallet lacks tokens that the faucet gives it now. */
  readonly canClaim: boolean
  /** When the faucet gives a wallet that lacks tokens more. Undefined if it does so now. */
  readonly nextClaimAt: string | undefined
}
