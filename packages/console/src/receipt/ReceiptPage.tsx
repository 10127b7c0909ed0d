import { type Finality, Decimal, findAgioError, isInChain, nameFinality } from '@agio/react/internal'
import type { ConversionReceipt } from '@agio/sdk'
import { type SubmitEvent, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { Amount } from '../amount/Amount.tsx'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import type { ServedNetwork } from '../settings/network.ts'
import { serviceUrl, settings } from '../settings/settings.ts'
import { toExplorerUrl } from '../settings/toExplorerUrl.ts'
import { useNetworkOfUrl } from '../settings/useNetworkOfUrl.ts'
import { Age } from '../time/Age.tsx'
import { Address, parseHash } from '../ui/Address.tsx'
import { Button, CopyButton } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Fact, Facts, Panel, Skeleton } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'
import parts from '../ui/ui.module.css'
import { ActivityTable } from './ActivityTable.tsx'
import { ConversionPanel, QuotePanel } from './ConversionPanel.tsx'
import styles from './receipt.module.css'
import { useReceipt } from './useReceipt.ts'

/**
 * The Activity page with all conversions of this browser, and the receipt of one: the amounts of a conversion and where
 * the difference went. The URL names the transaction and its network.
 */
export function ReceiptPage() {
  const { transactionHash: named } = useParams<{ readonly transactionHash?: string }>()
  const { network, unservedChain } = useNetworkOfUrl()
  const transactionHash = named === undefined ? undefined : parseHash(named)
  return (
    <div className={classes(parts['page'], styles['receipt'])}>
      <h1>{named === undefined ? 'Activity' : 'Receipt'}</h1>
      <HashForm key={named} named={named ?? ''} chainId={network.chainId} />
      {unservedChain !== undefined && <UnservedChain chain={unservedChain} />}
      {named === undefined && <ActivityTable />}
      {unservedChain === undefined && transactionHash !== undefined && (
        <ReceiptView
          key={`${network.chainId} ${transactionHash}`}
          transactionHash={transactionHash}
          network={network}
        />
      )}
    </div>
  )
}

function HashForm({ named, chainId }: { readonly named: string; readonly chainId: number }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState(named)
  const [isRefused, setRefused] = useState(named !== '' && parseHash(named) === undefined)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const hash = parseHash(text)
    setRefused(hash === undefined)
    if (hash !== undefined) navigate(`/receipt/${hash}?chain=${chainId}`)
  }
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <TextField
        label="Transaction hash"
        value={text}
        placeholder="0x…"
        spellCheck={false}
        autoComplete="off"
        hint="Paste any transaction hash or explorer link."
        error={isRefused ? 'Invalid transaction hash. Enter 0x and 64 hexadecimal digits.' : undefined}
        onChange={({ target }) => {
          setText(target.value)
          setRefused(false)
        }}
      />
      <Button type="submit" variant="primary">
        Show receipt
      </Button>
    </form>
  )
}

function UnservedChain({ chain }: { readonly chain: string }) {
  const names = settings.networks.map(({ name, chainId }) => `${name} (${chainId})`)
  return (
    <Notice tone="warning" title="This service does not support the network of the link">
      The link is for chain {chain}. This service supports {names.join(' and ')}.
    </Notice>
  )
}

/** Shows the receipt of a transaction in any state. */
function ReceiptView({ transactionHash, network }: ReceiptView.Props) {
  const { receipt, error, errorUpdatedAt, isFetching, refetch, quoteError, finality } = useReceipt(
    transactionHash,
    network.chainId,
  )
  return (
    <>
      {error && (
        <ErrorNotice
          error={error}
          at={errorUpdatedAt}
          actions={
            <Button size="small" isBusy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {quoteError && (
        <Notice title="This conversion is not compared with its quote">
          {findAgioError(quoteError)?.message}. The receipt shows the oracle prices at execution instead.
        </Notice>
      )}
      {!receipt && !error && <LoadingPanel />}
      {!isInChain(finality) && (
        <Notice tone="warning" title="The chain has removed the block of this transaction">
          It may be mined again, at other amounts. The receipt changes by itself.
        </Notice>
      )}
      {receipt?.status === 'pending' && <PendingPanel transactionHash={transactionHash} network={network} />}
      {receipt && receipt.status !== 'pending' && (
        <MinedReceipt receipt={receipt} network={network} finality={finality} />
      )}
    </>
  )
}

declare namespace ReceiptView {
  type Props = { readonly transactionHash: `0x${string}`; readonly network: ServedNetwork }
}

type MinedProps = {
  readonly receipt: ConversionReceipt
  readonly network: ServedNetwork
  readonly finality: Finality | undefined
}

function MinedReceipt({ receipt, network, finality }: MinedProps) {
  const { conversions = [receipt] } = receipt
  return (
    <>
      {conversions.length > 1 && (
        <Notice title={`This transaction has ${conversions.length} conversions`}>
          Each conversion has its own receipt below, in the order of the transaction.
        </Notice>
      )}
      {conversions.map((conversion, index) => (
        <ConversionPanel
          key={`Conversion ${index + 1}`}
          title={conversions.length > 1 ? `Conversion ${index + 1} of ${conversions.length}` : 'Conversion'}
          conversion={conversion}
          network={network}
          finality={finality}
        />
      ))}
      <QuotePanel receipt={receipt} />
      <TransactionPanel receipt={receipt} network={network} finality={finality} />
    </>
  )
}

function PendingPanel({ transactionHash, network }: ReceiptView.Props) {
  return (
    <Notice tone="warning" title="The transaction is not mined yet">
      <p className={styles['pending']}>
        <Address
          value={transactionHash}
          label="the hash of the transaction"
          href={toExplorerUrl(network, 'tx', transactionHash)}
        />
        is known to a node of {network.name}. The receipt appears here once the transaction is mined.
      </p>
    </Notice>
  )
}

/** A placeholder with the height of a receipt, so that the page does not move. */
function LoadingPanel() {
  return (
    <Panel title="Conversion">
      <div className={styles['loading']}>
        <Skeleton width="18rem" label="Loading the receipt" />
        <Skeleton width="100%" />
        <Skeleton width="100%" />
        <Skeleton width="60%" />
      </div>
    </Panel>
  )
}

const gweiDecimals = 9

/** Shows the transaction of a receipt: its block and gas, and buttons that copy the receipt. */
function TransactionPanel({ receipt, network, finality }: TransactionPanel.Props) {
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
          <CopyButton text={toLink(transactionHash, network.chainId)} label="Copy a link to this receipt">
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

declare namespace TransactionPanel {
  type Props = {
    readonly receipt: ConversionReceipt
    readonly network: ServedNetwork
    readonly finality: Finality | undefined
  }
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
function toLink(transactionHash: string, chainId: number): string {
  return `${serviceUrl}/console/receipt/${transactionHash}?chain=${chainId}`
}
