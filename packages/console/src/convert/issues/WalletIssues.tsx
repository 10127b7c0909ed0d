import { findAgioError, useAgio } from '@agio/react/internal'
import type { AgioQuoteData, Chain } from '@agio/sdk'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { trpc } from '../../service/trpc.ts'
import { Notice } from '../../ui/Notice.tsx'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'
import { assertClaim } from './assertTransaction.ts'
import { explainIssue, type IssueWords } from './explainIssue.ts'
import { type Sending, useSending } from './SendButton.tsx'

/**
 * Shows what the wallet lacks for a conversion. Approvals are left out, because conversions ask for them.
 */
export function WalletIssues({ words, faucet }: WalletIssues.Props) {
  const shown = words.filter(({ remedy }) => remedy !== 'approve')
  return (
    <>
      {shown.map(({ title, text, remedy }) => (
        <Notice key={title} tone="warning" title={title}>
          {text}
          {remedy === 'fund' && faucet?.nextClaimAt !== undefined && (
            <p>
              You can claim again at{' '}
              <time dateTime={faucet.nextClaimAt}>{new Date(faucet.nextClaimAt).toLocaleString()}</time>.
            </p>
          )}
        </Notice>
      ))}
      {faucet?.claim.failed && <ErrorNotice {...faucet.claim.failed} />}
    </>
  )
}

export declare namespace WalletIssues {
  type Props = {
    /** The issues of the newest quote. */
    readonly words: readonly IssueWords[]
    readonly faucet: Faucet | undefined
  }
}

/** Returns the descriptions of a quote's issues. */
export function listIssueWords(quote: AgioQuoteData | undefined, { nativeCurrency }: Pick<Chain, 'nativeCurrency'>) {
  if (!quote) return []
  return (quote.issues ?? []).map((issue) => explainIssue(issue, { tokenIn: quote.tokenIn, native: nativeCurrency }))
}

/**
 * Returns the faucet of a network while the wallet lacks tokens, and while a claim runs.
 *
 * @param options.isShort whether the wallet holds none or too little of the token to pay
 *
 * @param options.onMined refreshes the data that a claim has changed
 */
export function useFaucet({ wallet, chain, isShort, onMined }: useFaucet.Options): Faucet | undefined {
  const { reader } = useAgio()
  const queryClient = useQueryClient()
  const claim = useSending({
    wallet,
    onMined: async () => {
      await Promise.all([onMined(), queryClient.invalidateQueries({ queryKey: trpc.faucet.pathKey() })])
    },
    build: async (userAddress) => {
      if (!chain) return []
      const { gasLimit, ...built } = await reader.api.faucet.buildClaimAll.query({
        chainId: chain.chainId,
        userAddress,
      })
      assertClaim(built, chain.faucet)
      return [{ ...built, gas: BigInt(gasLimit) }]
    },
  })
  const isOffered = isShort || claim.phase !== undefined
  const { data } = useQuery(
    trpc.faucet.info.queryOptions(
      isOffered && wallet && chain?.faucet ? { chainId: chain.chainId, userAddress: wallet.address } : skipToken,
      { staleTime: 60_000 },
    ),
  )
  if (!isOffered || !wallet || !chain?.faucet) return undefined
  const { canClaim = true, nextClaimAt } = data?.user ?? {}
  return {
    claim,
    // After a refused claim, its error says until when.
    canClaim: canClaim && findAgioError(claim.failed?.error)?.code !== 'svc/faucet-cooldown',
    nextClaimAt: canClaim ? undefined : nextClaimAt,
  }
}

export declare namespace useFaucet {
  type Options = {
    readonly wallet: ConnectedWallet | undefined
    readonly chain: Chain | undefined
    readonly isShort: boolean
    readonly onMined: () => Promise<void>
  }
}

/** The faucet of a network, for a wallet that lacks tokens. */
export type Faucet = {
  readonly claim: Sending
  readonly canClaim: boolean
  /** When the wallet can claim again. Undefined if it can claim now. */
  readonly nextClaimAt: string | undefined
}
