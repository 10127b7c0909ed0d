import { Decimal, type QuoteView, useMarketHours } from '@agio/react/internal'
import type { AgioQuoteData, Chain, NamedToken, OraclePrices as Prices } from '@agio/sdk'
import { type ReactNode, useState } from 'react'
import { Amount } from '../../amount/Amount.tsx'
import { Address } from '../../ui/Address.tsx'
import { Badge } from '../../ui/Notice.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { FlipIcon } from '../../ui/icons.tsx'
import { Panel, Skeleton } from '../../ui/Panel.tsx'
import styles from './quote.module.css'
import { Age } from '../../time/Age.tsx'

/** Shows the limit of a quote and the market prices, and on demand the parts of its amount. */
export function QuoteDetails({ chain, tokenIn, tokenOut, prices, view, isCurrent }: QuoteDetails.Props) {
  const { quote, status, isFetching } = view
  const isOld = quote !== undefined && (!isCurrent || status === 'expired')
  const symbols = quote ? listSymbols(quote) : [tokenIn?.symbol, tokenOut?.symbol]
  return (
    <Panel title="Quote">
      <div aria-busy={isFetching} className={classes(styles['quote'], isOld && styles['old'])}>
        <dl className={styles['rows']}>
          {quote && (
            <>
              <Limit quote={quote} />
              <Recipient quote={quote} />
            </>
          )}
          {chain && (
            <Row name="Market prices">
              {quote?.market === 'closed' && <MarketClosed quote={quote} />}
              <OraclePrices data={prices} symbols={symbols} />
            </Row>
          )}
        </dl>
        {quote && (
          <details className={styles['parts']}>
            <summary>
              {`1 ${quote.tokenIn.symbol} = `}
              <Amount
                value={Decimal.trim(quote.exchangeRate)}
                symbol={quote.tokenOut.symbol}
                maxDecimals={rateDecimals}
              />
              {` · Fee ${Decimal.localize(quote.routeFeeRate)}`}
            </summary>
            <dl className={styles['rows']}>
              <Rates quote={quote} />
              <Parts quote={quote} />
              <Row name="Route">
                <Route quote={quote} />
              </Row>
            </dl>
          </details>
        )}
      </div>
      <output className="visually-hidden">{isCurrent && quote && describeQuote(quote)}</output>
    </Panel>
  )
}

/** Says that a market of the route is closed, and when all of its markets are open again. */
function MarketClosed({ quote: { chainId, route } }: { readonly quote: AgioQuoteData }) {
  const { data } = useMarketHours({ chainId })
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
    readonly prices: Prices | undefined
    readonly view: QuoteView
    /** Whether the quote matches the entered values. It may have expired. */
    readonly isCurrent: boolean
  }
}

type QuoteProps = { readonly quote: AgioQuoteData }

const rateDecimals = 8
// More digits than any rate has, so that only hidden digits are cut.
const inverseDecimals = 18

function Rates({ quote }: QuoteProps) {
  const [isInverse, setIsInverse] = useState(false)
  const show = (rate: string | undefined) =>
    rate !== undefined && (
      <Rate of={isInverse ? [quote.tokenOut, quote.tokenIn] : [quote.tokenIn, quote.tokenOut]} rate={rate} />
    )
  return (
    <>
      <Row name="Rate">
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
      </Row>
      <Row name="Market rate">
        {show(isInverse ? Decimal.invert(quote.oracleRate, inverseDecimals) : quote.oracleRate)}
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

/** Shows where the difference from the market price goes. The rows add up to the amount received. Zeros are left out. */
function Parts({ quote }: QuoteProps) {
  const { symbol } = quote.tokenOut
  const { impact, fee, rounding } = quote.parts
  const rows = [
    { name: 'Price impact', value: impact },
    { name: `Fee (${Decimal.localize(quote.routeFeeRate)})`, value: negate(fee) },
    { name: 'Rounding', value: negate(rounding) },
  ]
  return (
    <>
      <Row name="At market rate" isFirst>
        <Amount value={quote.oracleAmountOut} symbol={symbol} />
      </Row>
      {rows
        .filter(({ value }) => /[1-9]/.test(value))
        .map(({ name, value }) => (
          <Row key={name} name={name}>
            <Amount value={value} symbol={symbol} />
          </Row>
        ))}
      <Row name="You receive" isSum>
        <Amount value={quote.amountOut} symbol={symbol} />
      </Row>
    </>
  )
}

function Limit({ quote }: QuoteProps) {
  return quote.mode === 'exact-out' ? (
    <Row name="Maximum paid">
      <Amount value={quote.maxAmountIn} symbol={quote.tokenIn.symbol} />
    </Row>
  ) : (
    <Row name="Minimum received">
      <Amount value={quote.minAmountOut} symbol={quote.tokenOut.symbol} />
    </Row>
  )
}

/** Names the account that receives, if it is not the account that pays. */
function Recipient({ quote: { request } }: QuoteProps) {
  const { recipient, userAddress } = request
  if (recipient === undefined || recipient.toLowerCase() === userAddress?.toLowerCase()) return null
  return (
    <Row name="Recipient">
      <Address value={recipient} label="the address of the recipient" />
    </Row>
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
      <dd>{children}</dd>
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

/** Shows the oracle prices of some tokens with their ages. The reference token is left out, because its price is fixed. */
function OraclePrices({ data, symbols }: OraclePrices.Props) {
  const prices = symbols.flatMap((symbol) => {
    const price = symbol === undefined ? undefined : data?.prices[symbol]
    return price && price.maxAgeSeconds !== null ? [{ symbol, ...price }] : []
  })
  if (prices.length === 0) return <Skeleton width="9rem" label="Loading the prices" />
  return (
    <ul className={styles['prices']}>
      {prices.map(({ symbol, usd, lastUpdate, stale }) => (
        <li key={symbol}>
          <span>
            1 {symbol} = $<Amount value={Decimal.trim(usd)} />
          </span>
          {stale ? <Badge tone="warning">not accepted</Badge> : <span className={styles['age']}>·</span>}
          <span className={styles['age']}>
            <Age at={lastUpdate} />
          </span>
        </li>
      ))}
    </ul>
  )
}

declare namespace OraclePrices {
  type Props = {
    readonly data: Prices | undefined
    readonly symbols: readonly (string | undefined)[]
  }
}
