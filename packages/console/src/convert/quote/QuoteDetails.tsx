import { Decimal } from '@agio/react/internal'
import type { AgioQuoteData, Chain, NamedToken } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Amount } from '../../amount/Amount.tsx'
import { trpc } from '../../service/trpc.ts'
import { Address } from '../../ui/Address.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { FlipIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { OraclePrices } from './OraclePrices.tsx'
import styles from './QuoteDetails.module.css'
import { SlippageSetting } from './SlippageSetting.tsx'
import type { QuoteView } from './useQuote.ts'

/** Shows the parts of a quote. The rows exist without a quote, too, so that nothing moves when a quote arrives. */
export function QuoteDetails({ chain, tokenIn, tokenOut, view }: QuoteDetails.Props) {
  const { quote, isCurrent, isBusy, isExpired } = view
  const isOld = quote !== undefined && (!isCurrent || isExpired)
  const symbols = quote ? listSymbols(quote) : [tokenIn?.symbol, tokenOut?.symbol]
  return (
    <Panel title="Quote">
      <div aria-busy={isBusy} className={classes(isOld && styles['old'])}>
        <dl className={styles['rows']}>
          <Rates quote={quote} />
          <Parts quote={quote} />
          <Limit quote={quote} />
          <Row name="Route">{quote && <Route quote={quote} />}</Row>
          {chain && (
            <Row name="Oracle prices">
              {quote?.market === 'closed' && <MarketClosed quote={quote} />}
              <OraclePrices chainId={chain.chainId} symbols={symbols} isWatched={view.isActive} />
            </Row>
          )}
        </dl>
      </div>
      <SlippageSetting />
      <output className="visually-hidden">{isCurrent && quote && describeQuote(quote)}</output>
    </Panel>
  )
}

/** Says that a market of the route is closed, and when all of its markets are open again. */
function MarketClosed({ quote: { chainId, route } }: { readonly quote: AgioQuoteData }) {
  const { data } = useQuery(trpc.market.hours.queryOptions({ chainId }, { staleTime: 600_000 }))
  const pools = new Set(route.map(({ address }) => address))
  const opens = data?.pairs.flatMap(({ poolAddress, isOpen, nextOpen }) =>
    pools.has(poolAddress) && !isOpen && nextOpen !== null ? [nextOpen] : [],
  )
  const at = opens?.toSorted().at(-1)
  return (
    <>
      <Badge>Market closed</Badge>
      {at !== undefined && (
        <span className="note">
          Opens <time dateTime={at}>{new Date(at).toLocaleString(undefined, openingStyle)}</time>
        </span>
      )}
    </>
  )
}

const openingStyle = { dateStyle: 'medium', timeStyle: 'short' } as const

export declare namespace QuoteDetails {
  type Props = {
    readonly chain: Chain | undefined
    readonly tokenIn: NamedToken | undefined
    readonly tokenOut: NamedToken | undefined
    readonly view: QuoteView
  }
}

type QuoteProps = { readonly quote: AgioQuoteData | undefined }

const rateDecimals = 8
// More digits than any rate has, so that only hidden digits are cut.
const inverseDecimals = 18

function Rates({ quote }: QuoteProps) {
  const [isInverse, setIsInverse] = useState(false)
  const show = (rate: string | undefined) =>
    quote &&
    rate !== undefined && (
      <Rate of={isInverse ? [quote.tokenOut, quote.tokenIn] : [quote.tokenIn, quote.tokenOut]} rate={rate} />
    )
  return (
    <>
      <Row name="Rate">
        {quote && (
          <>
            {show(isInverse ? quote.inverseRate : quote.exchangeRate)}
            <Button
              variant="quiet"
              size="small"
              className={styles['toggle']}
              icon={<FlipIcon />}
              aria-label="Show the inverse rate"
              aria-pressed={isInverse}
              onClick={() => setIsInverse(!isInverse)}
            />
          </>
        )}
      </Row>
      <Row name="Oracle rate">
        {show(isInverse ? quote && Decimal.invert(quote.oracleRate, inverseDecimals) : quote?.oracleRate)}
      </Row>
    </>
  )
}

type RateProps = {
  readonly of: readonly [{ readonly symbol: string }, { readonly symbol: string }]
  readonly rate: string
}

function Rate({ of: [one, other], rate }: RateProps) {
  const value = Decimal.trim(rate)
  // A cut rate has its own sign.
  const equals = Decimal.shorten(value, rateDecimals) === value ? '= ' : ''
  return (
    <span>
      1 {one.symbol} {equals}
      <Amount value={value} symbol={other.symbol} maxDecimals={rateDecimals} />
    </span>
  )
}

/** Shows where the difference from the oracle price goes. The rows add up to the amount received. */
function Parts({ quote }: QuoteProps) {
  const symbol = quote?.tokenOut.symbol
  return (
    <>
      <Row name="At the oracle rate" isFirst>
        {quote && <Amount value={quote.oracleAmountOut} symbol={symbol} />}
      </Row>
      <Row name="Price impact">{quote && <Amount value={quote.parts.impact} symbol={symbol} />}</Row>
      <Row name={quote ? `Fee (${Decimal.localize(quote.routeFeeRate)})` : 'Fee'}>
        {quote && <Amount value={negate(quote.parts.fee)} symbol={symbol} />}
      </Row>
      <Row name="Rounding">{quote && <Amount value={negate(quote.parts.rounding)} symbol={symbol} />}</Row>
      <Row name="You receive" isSum>
        {quote && <Amount value={quote.amountOut} symbol={symbol} />}
      </Row>
    </>
  )
}

function Limit({ quote }: QuoteProps) {
  if (quote?.mode === 'exact-out') {
    return (
      <Row name="Maximum paid">
        <Amount value={quote.maxAmountIn} symbol={quote.tokenIn.symbol} />
      </Row>
    )
  }
  return (
    <Row name="Minimum received">{quote && <Amount value={quote.minAmountOut} symbol={quote.tokenOut.symbol} />}</Row>
  )
}

function Route({ quote: { route } }: { readonly quote: AgioQuoteData }) {
  return (
    <ol className={styles['route']}>
      {route.map(({ address, tokenIn, tokenOut }) => (
        <li key={address}>
          {tokenIn.symbol} → {tokenOut.symbol}
          <Address value={address} label={`the address of the pool of ${tokenIn.symbol} and ${tokenOut.symbol}`} />
        </li>
      ))}
    </ol>
  )
}

function Row({ name, isFirst = false, isSum = false, children }: RowProps) {
  return (
    <div className={classes(styles['row'], isFirst && styles['first'], isSum && styles['sum'])}>
      <dt>{name}</dt>
      <dd>{children || '—'}</dd>
    </div>
  )
}

type RowProps = {
  readonly name: string
  /** Whether the row starts a group. */
  readonly isFirst?: boolean
  readonly isSum?: boolean
  readonly children: ReactNode
}

/** Adds a minus sign to a deducted amount, except zero. */
function negate(amount: string): string {
  if (amount.startsWith('-')) return amount.slice(1)
  return /[1-9]/.test(amount) ? `-${amount}` : amount
}

function listSymbols({ route }: AgioQuoteData): readonly string[] {
  return [...new Set(route.flatMap(({ tokenIn, tokenOut }) => [tokenIn.symbol, tokenOut.symbol]))]
}

function describeQuote({ amountIn, amountOut, tokenIn, tokenOut }: AgioQuoteData): string {
  return `You pay ${amountIn} ${tokenIn.symbol} and receive ${amountOut} ${tokenOut.symbol}.`
}
