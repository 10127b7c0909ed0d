import type { ConversionReceipt } from '@agio/sdk'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { findAgioError } from '../service/findAgioError.ts'
import type { ServedNetwork } from '../settings/network.ts'
import { toExplorerUrl } from '../settings/toExplorerUrl.ts'
import { Address } from '../ui/Address.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ConversionPanel } from './ConversionPanel.tsx'
import { QuotePanel } from './QuotePanel.tsx'
import { TransactionPanel } from './TransactionPanel.tsx'
import { useReceipt } from './useReceipt.ts'
import styles from './ReceiptView.module.css'

/** The receipt of a transaction, in whatever state it is. */
export function ReceiptView({ transactionHash, network }: ReceiptView.Props) {
  const { receipt, error, errorUpdatedAt, isFetching, refetch, quoteError } = useReceipt(
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
              Look again
            </Button>
          }
        />
      )}
      {quoteError && (
        <Notice title="The quote of this conversion is not compared">
          {findAgioError(quoteError)?.message}. The receipt shows the oracles’ prices of the execution instead.
        </Notice>
      )}
      {!receipt && !error && <LoadingPanel />}
      {receipt?.status === 'pending' && <PendingPanel transactionHash={transactionHash} network={network} />}
      {receipt && receipt.status !== 'pending' && <MinedReceipt receipt={receipt} network={network} />}
    </>
  )
}

export declare namespace ReceiptView {
  type Props = { readonly transactionHash: `0x${string}`; readonly network: ServedNetwork }
}

type MinedProps = { readonly receipt: ConversionReceipt; readonly network: ServedNetwork }

function MinedReceipt({ receipt, network }: MinedProps) {
  const { conversions = [receipt] } = receipt
  return (
    <>
      {conversions.length > 1 && (
        <Notice title={`This transaction has ${conversions.length} conversions`}>
          Each has a receipt of its own below, in their order in the transaction.
        </Notice>
      )}
      {conversions.map((conversion, index) => (
        <ConversionPanel
          key={`Conversion ${index + 1}`}
          title={conversions.length > 1 ? `Conversion ${index + 1} of ${conversions.length}` : 'Conversion'}
          conversion={conversion}
          network={network}
        />
      ))}
      <QuotePanel receipt={receipt} />
      <TransactionPanel receipt={receipt} network={network} />
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
        is known to a node of {network.name}. The receipt appears here as soon as a block has it.
      </p>
    </Notice>
  )
}

/** As high as a receipt, so that the page stays where it is. */
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
