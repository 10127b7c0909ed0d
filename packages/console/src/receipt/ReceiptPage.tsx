import { type Finality, findAgioError, isInChain } from '@agio/react/internal'
import type { ChainId, ConversionReceipt } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useMemo, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { useConsole, useSettings } from '../settings/console.ts'
import { QueryErrorNotice } from '../errors/ErrorNotice.tsx'
import { trpc } from '../service/trpc.ts'
import { useFinality } from '../service/useFinality.ts'
import type { ServedNetwork } from '../settings/network.ts'
import { toExplorerUrl } from '../settings/toExplorerUrl.ts'
import { useNetworkOfUrl } from '../settings/useNetworkOfUrl.ts'
import { Address, parseHash } from '../ui/Address.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel, Skeleton } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'
import parts from '../ui/ui.module.css'
import { ActivityTable } from './ActivityTable.tsx'
import { ConversionPanel, QuotePanel, TransactionPanel } from './ReceiptPanels.tsx'
import { findStoredQuote } from './activity.ts'
import styles from './receipt.module.css'

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
  const settings = useSettings()
  const names = settings.networks.map(({ name, chainId }) => `${name} (${chainId})`)
  return (
    <Notice tone="warning" title="This service does not support the network of the link">
      The link is for chain {chain}. This service supports {names.join(' and ')}.
    </Notice>
  )
}

/** Shows the receipt of a transaction in any state. */
function ReceiptView({ transactionHash, network }: ReceiptView.Props) {
  const { receipt, query, quoteError, finality } = useReceipt(transactionHash, network.chainId)
  const { error } = query
  return (
    <>
      {error && <QueryErrorNotice query={query} />}
      {quoteError && (
        <Notice title="This conversion is not compared with its quote">
          {findAgioError(quoteError)?.message}. The receipt shows the market rate at execution instead.
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

// Poll delays, in case the stream is interrupted.
const pollsMs = [10_000, 20_000, 20_000]
const lastPollMs = 60_000

/**
 * Reads the receipt of a transaction until it is mined. If the transaction was sent in this browser, the request
 * includes its quote for comparison. The quote is only in the body of the request.
 */
function useReceipt(transactionHash: `0x${string}`, chainId: ChainId) {
  const { localStore } = useConsole()
  const quote = useMemo(() => findStoredQuote(localStore, transactionHash), [localStore, transactionHash])
  const compared = useReceiptQuery({ transactionHash, chainId, quote, enabled: quote !== undefined })
  const isRefused = isOfQuote(compared.error)
  const plain = useReceiptQuery({ transactionHash, chainId, enabled: quote === undefined || isRefused })
  const query = quote === undefined || isRefused ? plain : compared
  const { data, refetch } = query
  const { finality, block } = useFinality(data && { transactionHash, chainId, hasFailed: data.status === 'failed' })
  const newBlock = data === undefined || block === (data.blockHash ?? 'none') ? undefined : block
  useEffect(() => {
    // The receipt has more fields than the stream, so it is read again for each block of the transaction.
    if (newBlock !== undefined) void refetch()
  }, [newBlock, refetch])
  const [wasMined, setWasMined] = useState(false)
  if (data?.blockHash !== undefined && !wasMined) setWasMined(true)
  return {
    receipt: data,
    query,
    /** How final the receipt is. Undefined for a transaction that was never mined. */
    finality: wasMined ? finality : undefined,
    /** The reason why the stored quote is not compared. */
    quoteError: isRefused ? compared.error : undefined,
  }
}

type Request = {
  readonly transactionHash: `0x${string}`
  readonly chainId: ChainId
  readonly quote?: string | undefined
  readonly enabled: boolean
}

function useReceiptQuery({ quote, enabled, ...request }: Request) {
  return useQuery(
    trpc.convert.receipt.queryOptions(
      { ...request, ...(quote !== undefined && { quote }) },
      {
        enabled,
        staleTime: 60_000,
        refetchInterval: ({ state: { data, dataUpdateCount } }) =>
          data?.status === 'pending' && (pollsMs[dataUpdateCount - 1] ?? lastPollMs),
      },
    ),
  )
}

/**
 * Returns whether the service rejected the quote, not the transaction. The quote may belong to another key or version.
 */
function isOfQuote(error: unknown): boolean {
  return findAgioError(error)?.code.startsWith('svc/quote-') ?? false
}
