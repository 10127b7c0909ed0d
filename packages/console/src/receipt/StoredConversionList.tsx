import { useMemo } from 'react'
import { Link } from 'wouter'
import { Amount } from '../amount/Amount.tsx'
import styles from './StoredConversionList.module.css'
import { type StoredConversion, listStoredConversions } from './storedConversions.ts'
import { settings } from '../settings/settings.ts'
import { localStore } from '../storage/browserStorage.ts'
import { Age } from '../time/Age.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { shortenHex } from '../ui/hex.ts'

const maxShown = 10

/** Links to the receipts of this browser's newest conversions. */
export function StoredConversionList() {
  const conversions = useMemo(() => listStoredConversions(localStore).slice(0, maxShown), [])
  if (conversions.length === 0) {
    return (
      <Notice title="No receipt is open">
        A receipt explains the difference between the oracles’ amount and the amount received. Paste the hash of a
        conversion above, or <Link href="/">convert</Link> something. Its receipt will be linked here.
      </Notice>
    )
  }
  return (
    <Panel title="Conversions of this browser">
      <ul className={styles['list']}>
        {conversions.map((conversion) => (
          <Row key={conversion.transactionHash} {...conversion} />
        ))}
      </ul>
    </Panel>
  )
}

function Row({ transactionHash, chainId, at, quote }: StoredConversion) {
  const network = settings.networks.find((served) => served.chainId === chainId)
  return (
    <li className={styles['row']}>
      <Link href={`/receipt/${transactionHash}?chain=${chainId}`}>
        <code>{shortenHex(transactionHash)}</code>
      </Link>
      <span>
        <Amount value={quote.amountIn} symbol={quote.tokenIn.symbol} /> to{' '}
        <Amount value={quote.amountOut} symbol={quote.tokenOut.symbol} />
      </span>
      <span className="note">
        {network?.name ?? `Chain ${chainId}`}, <Age at={at} />
      </span>
    </li>
  )
}
