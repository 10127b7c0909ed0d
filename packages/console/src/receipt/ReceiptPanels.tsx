import { Decimal, type Finality, isInChain, nameFinality, toErrorTitle } from '@agio/react/internal'
import type { ConversionReceipt, ReceiptConversion } from '@agio/sdk'
import { Link } from 'wouter'
import { useSettings } from '../settings/console.ts'
import { Amount } from '../amount/Amount.tsx'
import { ErrorLink } from '../errors/ErrorNotice.tsx'
import { useServiceNow } from '../service/useServiceNow.ts'
import type { ServedNetwork } from '../settings/network.ts'
import { toExplorerUrl } from '../settings/toExplorerUrl.ts'
import { Age } from '../time/Age.tsx'
import { Address } from '../ui/Address.tsx'
import { CopyButton } from '../ui/Button.tsx'
import { Badge, Notice } from '../ui/Notice.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'
import ui from '../ui/ui.module.css'
import { toWaterfall } from './Waterfall.ts'
import { WaterfallFigure } from './WaterfallFigure.tsx'
import styles from './receipt.module.css'

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
      <div className={ui['page']}>
        {status === 'failed' && <Failure {...conversion} />}
        {tokenIn && tokenOut && amountIn !== undefined && amountOut !== undefined && (
          <p className={styles['amounts']}>
            <span>
              <span className={styles['verb']}>Paid</span> <Amount value={amountIn} symbol={tokenIn.symbol} />
            </span>
            {!waterfall && (
              <span>
                <span className={styles['verb']}>Received</span> <Amount value={amountOut} symbol={tokenOut.symbol} />
              </span>
            )}
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
  type Props = Mined & { readonly title: string; readonly conversion: ReceiptConversion }
}

type Mined = {
  readonly network: ServedNetwork
  /** How final the transaction is. Undefined until it is known. */
  readonly finality: Finality | undefined
}

/** Returns the path of the form with the terms of a conversion. */
function toConvertPath(chainId: number, { tokenIn, tokenOut, amountIn }: Terms): string {
  const terms = { chain: String(chainId), from: tokenIn.address, to: tokenOut.address, amount: Decimal.trim(amountIn) }
  return `/?${new URLSearchParams(terms)}`
}

type Terms = { readonly [Name in 'tokenIn' | 'tokenOut' | 'amountIn']: NonNullable<ReceiptConversion[Name]> }

/** Shows the outcome, or that the chain has removed the block of the transaction. */
function StatusBadge({ status, finality }: Pick<ReceiptConversion, 'status'> & Pick<Mined, 'finality'>) {
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
    <Notice tone="warning" title="The market rate of this conversion is uncertain">
      The amounts paid and received are certain, because they come from the events of the transaction. The amount at
      market rate and the parts are missing. Either no node has the state of that block any more, or a price changed
      within the block in a way that the events do not show.
    </Notice>
  )
}

function ConversionFacts({ conversion, network }: Pick<ConversionPanel.Props, 'conversion' | 'network'>) {
  const { tokenIn, tokenOut, mode, executedRate, oracleRate, oracleAt, slippage } = conversion
  const { parts, routeFeeRate, payer, recipient } = conversion
  const rateUnit = tokenIn && tokenOut && `${tokenOut.symbol} per ${tokenIn.symbol}`
  return (
    <Facts>
      <Fact name="Executed rate">{executedRate && <Amount value={executedRate} symbol={rateUnit} />}</Fact>
      <Fact name={oracleAt === 'quote' ? 'Market rate of the quote' : 'Market rate'}>
        {oracleRate && <Amount value={oracleRate} symbol={rateUnit} />}
      </Fact>
      <Fact name="Slippage">{slippage}</Fact>
      {/* With the parts, the table above has the rate of the fees. */}
      <Fact name="Fees">{parts === undefined && routeFeeRate}</Fact>
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

/** Compares the quote with what was paid and received. Leaves out what is the same. Shows nothing without a quote. */
export function QuotePanel({ receipt: { quoted, tokenIn, tokenOut, amountIn, amountOut } }: QuotePanel.Props) {
  const now = useServiceNow()
  if (!quoted || !tokenIn || !tokenOut) return null
  const paidRaw = amountIn === undefined ? undefined : subtract(amountIn, quoted.amountIn, tokenIn)
  const receivedRaw = amountOut === undefined ? undefined : subtract(amountOut, quoted.amountOut, tokenOut)
  const [differenceRaw = 0n, token] = quoted.mode === 'exact-in' ? [receivedRaw, tokenOut] : [paidRaw, tokenIn]
  const isBetter = differenceRaw > 0n === (quoted.mode === 'exact-in')
  return (
    <Panel title="Quote">
      <Facts>
        <Fact name="Amounts">{paidRaw === 0n && receivedRaw === 0n && 'Exactly as quoted'}</Fact>
        <Fact name="Quoted to pay">{paidRaw !== 0n && <Amount value={quoted.amountIn} symbol={tokenIn.symbol} />}</Fact>
        <Fact name="Quoted to receive">
          {receivedRaw !== 0n && <Amount value={quoted.amountOut} symbol={tokenOut.symbol} />}
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
        <Fact name={isBetter ? 'Better than quoted' : 'Worse than quoted'}>
          {differenceRaw !== 0n && (
            <>
              {differenceRaw > 0n && '+'}
              <Amount value={Decimal.fromRaw(differenceRaw, token.decimals)} symbol={token.symbol} />
            </>
          )}
        </Fact>
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

function subtract(amount: string, other: string, { decimals }: { readonly decimals: number }): bigint {
  return Decimal.toRaw(amount, decimals) - Decimal.toRaw(other, decimals)
}

const gweiDecimals = 9

/** Shows the transaction of a receipt: its block and gas, and buttons that copy the receipt. */
export function TransactionPanel({ receipt, network, finality }: TransactionPanel.Props) {
  const { serviceUrl } = useSettings()
  const { transactionHash, blockNumber, blockHash, blockTimestamp, clientReference } = receipt
  const { gasUsed, gasPaid, effectiveGasPrice } = receipt
  return (
    <Panel
      title="Transaction"
      actions={
        <>
          <CopyButton text={JSON.stringify(receipt, null, 2)} label="Copy the receipt as JSON">
            Copy as JSON
          </CopyButton>
          <CopyButton text={toLink(serviceUrl, transactionHash, network.chainId)} label="Copy a link to this receipt">
            Copy link
          </CopyButton>
        </>
      }
    >
      <Facts>
        <Fact name="Transaction">
          <Address
            value={transactionHash}
            label="the hash of the transaction"
            href={toExplorerUrl(network, 'tx', transactionHash)}
          />
        </Fact>
        <Fact name="Network">{network.name}</Fact>
        <Fact name="Block">
          {blockNumber !== undefined && (
            <BlockNumber value={blockNumber} href={toExplorerUrl(network, 'block', blockNumber)} />
          )}
        </Fact>
        <Fact name="Block hash">{blockHash && <Address value={blockHash} label="the hash of the block" />}</Fact>
        <Fact name="Time">
          {blockTimestamp && (
            <>
              {new Date(blockTimestamp).toLocaleString()}
              <span className={classes('note', styles['line'])}>
                <Age at={blockTimestamp} />
              </span>
            </>
          )}
        </Fact>
        <Fact name="Finality">{finality && nameFinality(finality)}</Fact>
        <Fact name="Gas paid">
          {gasPaid !== undefined && <Amount value={gasPaid} symbol={network.nativeCurrency.symbol} />}
        </Fact>
        <Fact name="Gas used">{gasUsed !== undefined && Decimal.format(gasUsed)}</Fact>
        <Fact name="Gas price">
          {effectiveGasPrice !== undefined && (
            <Amount value={Decimal.fromRaw(BigInt(effectiveGasPrice), gweiDecimals)} symbol="gwei" />
          )}
        </Fact>
        <Fact name="Your reference">{clientReference}</Fact>
      </Facts>
    </Panel>
  )
}

export declare namespace TransactionPanel {
  type Props = Mined & { readonly receipt: ConversionReceipt }
}

function BlockNumber({ value, href }: { readonly value: number; readonly href: string | undefined }) {
  if (href === undefined) return value
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {value}
    </a>
  )
}

/** Returns the URL of the receipt without the quote, because readers may have another API key. */
function toLink(serviceUrl: string, transactionHash: string, chainId: number): string {
  return `${serviceUrl}/console/receipt/${transactionHash}?chain=${chainId}`
}
