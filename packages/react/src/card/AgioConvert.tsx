import type { AgioQuote, ChainId, NamedToken, Wallet } from '@agio/sdk'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { parseAmountText } from '../amount/parseAmountText.ts'
import { nameAmount, nameLimit } from '../conversion/conversionQuote.ts'
import { useAnnouncedWallets, type AnnouncedWallet } from '../hooks/useAnnouncedWallets.ts'
import { useBalances } from '../hooks/useBalances.ts'
import { useConvert } from '../hooks/useConvert.ts'
import { useQuote } from '../hooks/useQuote.ts'
import { useTokens } from '../hooks/serviceData.ts'
import { AgioProvider, useAgio } from '../provider/AgioProvider.tsx'
import { findPair, selectToken, type Side } from '../quote/pair.ts'

/**
 * Shows the convert card: amounts, tokens, the wallets of the browser, the state of the conversion and its buttons. With `url` and
 * `contracts` it stands alone, otherwise it needs an `AgioProvider`. A page that imports `@agio/react/convert.css` themes it by
 * the variables `--agio-*`.
 *
 * @example
 * <AgioConvert url="/agio" contracts={contracts} chainId={84532} defaultTokenIn="tAUD" defaultAmountIn="100" />
 */
export function AgioConvert(props: AgioConvert.Props) {
  if (props.url === undefined) return <ConvertCard {...props} />
  return (
    <AgioProvider {...props}>
      <ConvertCard {...props} />
    </AgioProvider>
  )
}

export declare namespace AgioConvert {
  type Terms = {
    /** Address or symbol of the token to pay. */
    readonly tokenIn?: string | undefined
    /** Address or symbol of the token to receive. */
    readonly tokenOut?: string | undefined
    /** The typed amount to pay. */
    readonly amountIn?: string | undefined
  }
  /** `tokenIn`, `tokenOut` and `amountIn` are set by the page. Without `onTermsChange` the user cannot change them. */
  type Card = Terms &
    useConvert.Events & {
      readonly chainId: ChainId
      readonly defaultTokenIn?: string | undefined
      readonly defaultTokenOut?: string | undefined
      readonly defaultAmountIn?: string | undefined
      /** The wallet of the page. Without it, the card lists the wallets of the browser. */
      readonly wallet?: Wallet | undefined
      readonly onTermsChange?: ((terms: Terms) => void) | undefined
      readonly onQuote?: ((quote: AgioQuote) => void) | undefined
    }
  type Props = Card & (Omit<AgioProvider.Props, 'children'> | { readonly url?: undefined })
}

function ConvertCard(props: AgioConvert.Card) {
  const { chainId, onQuote, onSent, onReceipt, onError } = props
  const { texts } = useAgio()
  const { wallets, connected, connect } = useAnnouncedWallets(props.wallet !== undefined)
  const wallet = props.wallet ?? connected
  const tokens = useTokens({ chainId })
  const { terms, change } = useTerms(props)
  const [tokenIn, tokenOut] = findPair(tokens, terms)
  const amount = tokenIn && parseAmountText(terms.amountIn ?? '', tokenIn)
  const [isConverting, setIsConverting] = useState(false)
  const amountIn = amount?.kind === 'amount' ? amount.amount : undefined
  const quote = useQuote(
    { chainId, tokenIn: tokenIn?.address, tokenOut: tokenOut?.address, amountIn },
    { wallet, isPaused: isConverting },
  )
  const { status, tone, text, buttons, isBusy, finality } = useConvert({ wallet, quote, onSent, onReceipt, onError })
  if (isConverting !== isBusy) setIsConverting(isBusy)
  useOnQuote(quote.status === 'ready' ? quote.quote : undefined, onQuote)
  const { data: balances } = useBalances({ chainId, tokens, wallet })
  const select = (side: Side) => (address: string) => {
    if (tokenIn && tokenOut) {
      const pair = { tokenIn: tokenIn.address, tokenOut: tokenOut.address }
      change({ ...terms, ...selectToken(pair, side, address as `0x${string}`) })
    }
  }
  const isFixed = (name: keyof AgioConvert.Terms) => isBusy || (props[name] !== undefined && !props.onTermsChange)
  const received = quote.quote
  return (
    <form className="agio-convert" data-status={status} onSubmit={(event) => event.preventDefault()}>
      <TokenSide
        label={texts.pay}
        token={tokenIn}
        tokens={tokens}
        isFixed={isFixed('tokenIn')}
        onToken={select('tokenIn')}
      >
        <input
          className="agio-amount"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          aria-label={texts.pay}
          aria-invalid={amount?.kind === 'invalid'}
          value={terms.amountIn ?? ''}
          disabled={isFixed('amountIn')}
          onChange={({ target }) => change({ ...terms, amountIn: target.value })}
        />
      </TokenSide>
      {tokenIn && balances?.[tokenIn.address] !== undefined && (
        <p className="agio-note">
          {texts.balance}: {nameAmount(balances[tokenIn.address] ?? '', tokenIn)}
        </p>
      )}
      <TokenSide
        label={texts.receive}
        token={tokenOut}
        tokens={tokens}
        isFixed={isFixed('tokenOut')}
        onToken={select('tokenOut')}
      >
        <output className="agio-amount">{received?.amountOut ?? ''}</output>
      </TokenSide>
      {received && <p className="agio-note">{nameLimit(received)}</p>}
      <output className={`agio-status agio-${amount?.kind === 'invalid' ? 'warning' : tone}`}>
        {amount?.kind === 'invalid' && !isBusy ? amount.reason : text}
      </output>
      {status === 'done' && finality && <p className="agio-note">{texts.finality(finality)}</p>}
      <div className="agio-buttons">
        {buttons.map(({ action, label, onClick }) => (
          <button type="button" key={action} data-action={action} onClick={onClick}>
            {label}
          </button>
        ))}
        {!wallet && <Wallets wallets={wallets} onChoose={(chosen) => void connect(chosen).catch(onError)} />}
      </div>
    </form>
  )
}

function Wallets({ wallets, onChoose }: Wallets.Props) {
  const { texts } = useAgio()
  if (wallets.length === 0) return <p className="agio-note">{texts.noWallet}</p>
  return wallets.map((wallet) => (
    <button type="button" key={wallet.id} onClick={() => onChoose(wallet)}>
      {texts.connectTo(wallet.name)}
    </button>
  ))
}

declare namespace Wallets {
  type Props = {
    readonly wallets: readonly AnnouncedWallet[]
    readonly onChoose: (wallet: AnnouncedWallet) => void
  }
}

function TokenSide({ label, token, tokens, isFixed, onToken, children }: TokenSide.Props) {
  const id = useId()
  return (
    <div className="agio-side">
      <label htmlFor={id}>{label}</label>
      {children}
      <select
        id={id}
        value={token?.address ?? ''}
        disabled={isFixed || !token}
        onChange={({ target }) => onToken(target.value)}
      >
        {tokens.map(({ address, symbol }) => (
          <option key={address} value={address}>
            {symbol}
          </option>
        ))}
      </select>
    </div>
  )
}

declare namespace TokenSide {
  type Props = {
    readonly label: string
    readonly token: NamedToken | undefined
    readonly tokens: readonly NamedToken[]
    readonly isFixed: boolean
    readonly onToken: (address: string) => void
    readonly children: ReactNode
  }
}

/** Returns the entered values and how to change them. Values that the page sets come first. */
function useTerms(props: AgioConvert.Card) {
  const [own, setOwn] = useState<AgioConvert.Terms>({
    tokenIn: props.defaultTokenIn,
    tokenOut: props.defaultTokenOut,
    amountIn: props.defaultAmountIn,
  })
  const terms = {
    tokenIn: props.tokenIn ?? own.tokenIn,
    tokenOut: props.tokenOut ?? own.tokenOut,
    amountIn: props.amountIn ?? own.amountIn,
  }
  const change = (next: AgioConvert.Terms) => {
    setOwn(next)
    props.onTermsChange?.(next)
  }
  return { terms, change }
}

function useOnQuote(quote: AgioQuote | undefined, onQuote: AgioConvert.Card['onQuote']): void {
  const newest = useRef(onQuote)
  useEffect(() => {
    newest.current = onQuote
  })
  useEffect(() => {
    if (quote) newest.current?.(quote)
  }, [quote])
}
