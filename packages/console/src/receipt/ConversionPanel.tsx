import { type Finality, Decimal, isInChain, nameFinality, toErrorTitle } from '@agio/react/internal'
import type { ConversionReceipt, ReceiptConversion } from '@agio/sdk'
import { Link } from 'wouter'
import { Amount } from '../amount/Amount.tsx'
import { ErrorLink } from '../errors/ErrorNotice.tsx'
import { useServiceNow } from '../service/useServiceNow.ts'
import type { ServedNetwork } from '../settings/network.ts'
import { toExplorerUrl } from '../settings/toExplorerUrl.ts'
import { Address } from '../ui/Address.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import parts from '../ui/ui.module.css'
import { WaterfallFigure } from './WaterfallFigure.tsx'
import styles from './receipt.module.css'
import { toWaterfall } from './Waterfall.ts'

/** Shows one conversion of a transaction: the amounts, where the difference went, and the accounts. */
export function ConversionPanel({ title, conversion, network, finality }: ConversionPanel.Props) {
  const { status, tokenIn, tokenOut, amountIn, amountOut, oracleAt } = conversion
  const waterfall = toWaterfall(conversion)
  return (
    <Panel
      title={title}
      actions={
        <>
          {oracleAt === 'quote' && <Badge tone="accent">Filled as quoted</Badge>}
          {finality && isInChain(finality) && <Badge>{nameFinality(finality)}</Badge>}
          <StatusBadge status={status} finality={finality} />
          {tokenIn && tokenOut && amountIn !== undefined && (
            <Link href={toConvertPath(network.chainId, { tokenIn, tokenOut, amountIn })}>Convert again</Link>
          )}
        </>
      }
    >
      <div className={parts['page']}>
        {status === 'failed' && <Failure {...conversion} />}
        {tokenIn && tokenOut && amountIn !== undefined && amountOut !== undefined && (
          <p className={styles['amounts']}>
            <span>
              <span className={styles['verb']}>Paid</span> <Amount value={amountIn} symbol={tokenIn.symbol} />
            </span>
            <span>
              <span className={styles['verb']}>Received</span> <Amount value={amountOut} symbol={tokenOut.symbol} />
            </span>
          </p>
        )}
        {waterfall && tokenOut && <WaterfallFigure waterfall={waterfall} token={tokenOut} conversion={conversion} />}
        {oracleAt === 'unavailable' && <UnknownPrices />}
        <ConversionFacts conversion={conversion} network={network} />
      </div>
    </Panel>
  )
}

export declare namespace ConversionPanel {
  type Props = {
    readonly title: string
    readonly conversion: ReceiptConversion
    readonly network: ServedNetwork
    /** How final the transaction is. Undefined until it is known. */
    readonly finality: Finality | undefined
  }
}

/** Returns the path of the form with the terms of a conversion. */
function toConvertPath(chainId: number, { tokenIn, tokenOut, amountIn }: Terms): string {
  const terms = { chain: String(chainId), from: tokenIn.address, to: tokenOut.address, amount: Decimal.trim(amountIn) }
  return `/?${new URLSearchParams(terms)}`
}

type Terms = {
  readonly tokenIn: { readonly address: string }
  readonly tokenOut: { readonly address: string }
  readonly amountIn: string
}

/** Shows the outcome, or that the chain has removed the block of the transaction. */
function StatusBadge({
  status,
  finality,
}: Pick<ReceiptConversion, 'status'> & Pick<ConversionPanel.Props, 'finality'>) {
  if (finality && !isInChain(finality)) return <Badge tone="warning">{nameFinality(finality)}</Badge>
  return status === 'success' ? <Badge tone="positive">Success</Badge> : <Badge tone="danger">Failed</Badge>
}

function Failure({ failure, tokenIn, tokenOut }: ReceiptConversion) {
  const pair = tokenIn && tokenOut ? ` of ${tokenIn.symbol} to ${tokenOut.symbol}` : ''
  if (!failure) {
    return (
      <Notice tone="danger" title={`The conversion${pair} reverted`}>
        Nothing was paid or received. The reason is unknown, because no node could repeat the call at its block.
      </Notice>
    )
  }
  const { name, args } = failure.revert
  return (
    <Notice tone="danger" title={`The conversion${pair} reverted`}>
      <p>
        {toErrorTitle(failure.code)}. {failure.message}. Nothing was paid or received.
      </p>
      <p className={styles['revert']}>
        <ErrorLink code={failure.code} />{' '}
        <code>
          {name}({args.join(', ')})
        </code>
      </p>
    </Notice>
  )
}

function UnknownPrices() {
  return (
    <Notice tone="warning" title="The oracle prices of this conversion are uncertain">
      The amounts paid and received are certain, because they come from the events of the transaction. The oracles’
      amount and the parts are missing. Either no node has the state of that block any more, or a price changed within
      the block in a way that the events do not show.
    </Notice>
  )
}

type FactsProps = { readonly conversion: ReceiptConversion; readonly network: ServedNetwork }

function ConversionFacts({ conversion, network }: FactsProps) {
  const { mode, executedRate, oracleRate, oracleAt, slippage, routeFeeRate, payer, recipient } = conversion
  const rateUnit =
    conversion.tokenIn && conversion.tokenOut
      ? `${conversion.tokenOut.symbol} per ${conversion.tokenIn.symbol}`
      : undefined
  return (
    <Facts>
      <Fact name="Executed rate">{executedRate && <Amount value={executedRate} symbol={rateUnit} />}</Fact>
      <Fact name={oracleAt === 'quote' ? 'Oracle rate of the quote' : 'Oracle rate'}>
        {oracleRate && <Amount value={oracleRate} symbol={rateUnit} />}
      </Fact>
      <Fact name="Slippage">{slippage}</Fact>
      <Fact name="Fees">{routeFeeRate}</Fact>
      <Fact name="Mode">{mode && (mode === 'exact-in' ? 'Exact input' : 'Exact output')}</Fact>
      <Fact name="Payer">
        {payer && (
          <Address value={payer} label="the address of the payer" href={toExplorerUrl(network, 'address', payer)} />
        )}
      </Fact>
      <Fact name="Recipient">
        {recipient && (
          <>
            <Address
              value={recipient}
              label="the address of the recipient"
              href={toExplorerUrl(network, 'address', recipient)}
            />
            {recipient === payer && <span className="note">the payer</span>}
          </>
        )}
      </Fact>
    </Facts>
  )
}

/** Compares the quote with the received amount. Shows nothing without a quote. */
export function QuotePanel({ receipt: { quoted, tokenIn, tokenOut, amountIn, amountOut } }: QuotePanel.Props) {
  const now = useServiceNow()
  if (!quoted || !tokenIn || !tokenOut) return null
  return (
    <Panel title="Quote">
      <Facts>
        <Fact name="Quoted to pay">
          <Amount value={quoted.amountIn} symbol={tokenIn.symbol} />
        </Fact>
        <Fact name="Quoted to receive">
          <Amount value={quoted.amountOut} symbol={tokenOut.symbol} />
        </Fact>
        <Fact name="Limit">
          {quoted.minAmountOut !== undefined && (
            <>
              at least <Amount value={quoted.minAmountOut} symbol={tokenOut.symbol} />
            </>
          )}
          {quoted.maxAmountIn !== undefined && (
            <>
              at most <Amount value={quoted.maxAmountIn} symbol={tokenIn.symbol} />
            </>
          )}
        </Fact>
        {amountIn !== undefined && quoted.mode === 'exact-out' && (
          <Difference names={paidNames} token={tokenIn} amounts={[amountIn, quoted.amountIn]} />
        )}
        {amountOut !== undefined && quoted.mode === 'exact-in' && (
          <Difference names={receivedNames} token={tokenOut} amounts={[amountOut, quoted.amountOut]} />
        )}
        <Fact name={Date.parse(quoted.expiresAt) > now ? 'Expires at' : 'Expired at'}>
          <time dateTime={quoted.expiresAt}>{new Date(quoted.expiresAt).toLocaleString()}</time>
        </Fact>
        <Fact name="Block of the quote">{quoted.blockNumber}</Fact>
      </Facts>
    </Panel>
  )
}

export declare namespace QuotePanel {
  type Props = { readonly receipt: ConversionReceipt }
}

/** The names of what was paid or received beyond the quote, and below it. */
type Names = { readonly more: string; readonly less: string }

const paidNames: Names = { more: 'Worse than quoted', less: 'Better than quoted' }
const receivedNames: Names = { more: 'Better than quoted', less: 'Worse than quoted' }

/** Shows by how much an amount differs from its quote. */
function Difference({ names, token: { symbol, decimals }, amounts: [executed, quoted] }: DifferenceProps) {
  const differenceRaw = Decimal.toRaw(executed, decimals) - Decimal.toRaw(quoted, decimals)
  const name = differenceRaw === 0n ? 'Difference from the quote' : differenceRaw > 0n ? names.more : names.less
  return (
    <Fact name={name}>
      {differenceRaw > 0n && '+'}
      <Amount value={Decimal.fromRaw(differenceRaw, decimals)} symbol={symbol} />
    </Fact>
  )
}

type DifferenceProps = {
  readonly names: Names
  readonly token: { readonly symbol: string; readonly decimals: number }
  readonly amounts: readonly [executed: string, quoted: string]
}
