import { type Finality, findAgioError, isInChain } from '@agio/react/internal'
import type { ConversionReceipt } from '@agio/sdk'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import type { ServedNetwork } from '../settings/network.ts'
import { toExplorerUrl } from '../settings/toExplorerUrl.ts'
import { Address } from '../ui/Address.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel, Skeleton } from '../ui/Panel.tsx'
import { ConversionPanel } from './ConversionPanel.tsx'
import { QuotePanel } from './QuotePanel.tsx'
import { TransactionPanel } from './TransactionPanel.tsx'
import { useReceipt } from './useReceipt.ts'
import styles from './ReceiptView.module.css'

/** Shows the receipt of a transaction in any state. */
export function ReceiptView({ transactionHash, network }: ReceiptView.Props) {
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

export declare namespace ReceiptView {
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
