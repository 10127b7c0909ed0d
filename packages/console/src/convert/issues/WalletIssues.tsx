import { findAgioError } from '@agio/react/internal'
import type { AgioQuoteData, Chain } from '@agio/sdk'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { unretriedAgio } from '../../service/agio.ts'
import { Notice } from '../../ui/Notice.tsx'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'
import { assertClaim } from './assertTransaction.ts'
import { explainIssue, type IssueWords } from './explainIssue.ts'
import { SendButton } from './SendButton.tsx'
import { useSending, type Sending } from './useSending.ts'

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
          return <Funding key={issue.title} {...issue} claim={chain.faucet ? claim : undefined} />
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
function Funding({ title, text, claim }: Pick<IssueWords, 'title' | 'text'> & { readonly claim: Sending | undefined }) {
  // The notice below the button says until when.
  const isCoolingDown = findAgioError(claim?.failed?.error)?.code === 'svc/faucet-cooldown'
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
      </Notice>
      {claim?.failed && <ErrorNotice {...claim.failed} />}
    </>
  )
}

function useClaim({
  wallet,
  chain: { chainId, faucet },
  onMined,
}: Pick<WalletIssues.Props, 'wallet' | 'chain' | 'onMined'>) {
  return useSending({
    wallet,
    onMined,
    build: async (userAddress) => {
      const { gasLimit, ...claim } = await unretriedAgio.api.faucet.buildClaimAll.query({ chainId, userAddress })
      assertClaim(claim, faucet)
      return [{ ...claim, gas: BigInt(gasLimit) }]
    },
  })
}
