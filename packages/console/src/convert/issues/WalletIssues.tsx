import { findAgioError, useAgio } from '@agio/react/internal'
import type { AgioQuoteData, Chain } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { trpc } from '../../service/trpc.ts'
import { Notice } from '../../ui/Notice.tsx'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'
import { assertClaim } from './assertTransaction.ts'
import { explainIssue, type IssueWords } from './explainIssue.ts'
import { SendButton, type Sending, useSending } from './SendButton.tsx'

/**
 * Shows what the wallet lacks for a conversion, with a remedy for each issue. Approvals are left out, because
 * conversions ask for them.
 */
export function WalletIssues({ wallet, chain, quote, emptyToken, onMined }: WalletIssues.Props) {
  const claim = useClaim({ wallet, chain, onMined })
  const words = listIssueWords(quote, chain)
  const isFunding = words.some(({ remedy }) => remedy === 'fund')
  return (
    <>
      {words.map((issue) => {
        if (issue.remedy === 'approve') return null
        if (issue.remedy === 'fund') {
          const { title, text } = issue
          return <Funding key={title} {...{ title, text, wallet, chain }} claim={chain.faucet ? claim : undefined} />
        }
        return (
          <Notice key={issue.title} tone="warning" title={issue.title}>
            {issue.text}
          </Notice>
        )
      })}
      {!isFunding && chain.faucet && (emptyToken !== undefined || claim.phase) && (
        <Funding
          title={`This wallet has no ${emptyToken ?? 'test tokens'} yet`}
          text="The faucet sends it some of each test token."
          wallet={wallet}
          chain={chain}
          claim={claim}
        />
      )}
    </>
  )
}

export declare namespace WalletIssues {
  type Props = {
    readonly wallet: ConnectedWallet
    readonly chain: Chain
    /** The newest quote, which contains the issues of the wallet. */
    readonly quote: AgioQuoteData | undefined
    /** Symbol of the token to pay, if the wallet is known to hold none. */
    readonly emptyToken: string | undefined
    /** Refreshes the data that a transaction has changed. */
    readonly onMined: () => Promise<void>
  }
}

/** Returns the descriptions of a quote's issues. */
export function listIssueWords(quote: AgioQuoteData | undefined, { nativeCurrency }: Pick<Chain, 'nativeCurrency'>) {
  if (!quote) return []
  return (quote.issues ?? []).map((issue) => explainIssue(issue, { tokenIn: quote.tokenIn, native: nativeCurrency }))
}

/** Explains a balance that is too low, and offers the faucet if the network has one. */
function Funding({ title, text, claim, wallet, chain: { chainId } }: FundingProps) {
  const { address: userAddress } = wallet
  const { data } = useQuery(
    trpc.faucet.info.queryOptions({ chainId, userAddress }, { staleTime: 60_000, enabled: claim !== undefined }),
  )
  const { canClaim = true, nextClaimAt } = data?.user ?? {}
  // After a refused claim, the notice below the button says until when.
  const isCoolingDown = !canClaim || findAgioError(claim?.failed?.error)?.code === 'svc/faucet-cooldown'
  return (
    <>
      <Notice
        tone="warning"
        title={title}
        actions={
          claim && (
            <SendButton sending={claim} variant={isCoolingDown ? 'quiet' : 'primary'} disabled={isCoolingDown}>
              Get test tokens
            </SendButton>
          )
        }
      >
        {text}
        {!canClaim && nextClaimAt !== undefined && (
          <p>
            You can claim again at <time dateTime={nextClaimAt}>{new Date(nextClaimAt).toLocaleString()}</time>.
          </p>
        )}
      </Notice>
      {claim?.failed && <ErrorNotice {...claim.failed} />}
    </>
  )
}

type FundingProps = Pick<IssueWords, 'title' | 'text'> &
  Pick<WalletIssues.Props, 'wallet' | 'chain'> & { readonly claim: Sending | undefined }

function useClaim({
  wallet,
  chain: { chainId, faucet },
  onMined,
}: Pick<WalletIssues.Props, 'wallet' | 'chain' | 'onMined'>) {
  const { reader } = useAgio()
  return useSending({
    wallet,
    onMined,
    build: async (userAddress) => {
      const { gasLimit, ...claim } = await reader.api.faucet.buildClaimAll.query({ chainId, userAddress })
      assertClaim(claim, faucet)
      return [{ ...claim, gas: BigInt(gasLimit) }]
    },
  })
}
