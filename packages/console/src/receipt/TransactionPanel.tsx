import { type Finality, Decimal, nameFinality } from '@agio/react/internal'
import type { ConversionReceipt } from '@agio/sdk'
import { Amount } from '../amount/Amount.tsx'
import styles from './TransactionPanel.module.css'
import type { ServedNetwork } from '../settings/network.ts'
import { serviceUrl } from '../settings/settings.ts'
import { toExplorerUrl } from '../settings/toExplorerUrl.ts'
import { Age } from '../time/Age.tsx'
import { Address } from '../ui/Address.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'

const gweiDecimals = 9

/** Shows the transaction of a receipt: its block and gas, and buttons that copy the receipt. */
export function TransactionPanel({ receipt, network, finality }: TransactionPanel.Props) {
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

export declare namespace TransactionPanel {
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
