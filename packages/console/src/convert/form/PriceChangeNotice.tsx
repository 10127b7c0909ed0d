import type { PriceChange } from '@agio/react/internal'
import { Amount } from '../../amount/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** Shows a price that is worse than the accepted limit. The user must accept it before converting. */
export function PriceChangeNotice({ change: { mode, symbol, from, to }, onAccept }: PriceChangeNotice.Props) {
  return (
    <Notice
      tone="warning"
      title="Price changed"
      actions={
        <Button variant="primary" onClick={onAccept}>
          Accept new price
        </Button>
      }
    >
      {mode === 'exact-in' ? 'You receive ' : 'You pay '}
      <strong>
        <Amount value={to} symbol={symbol} />
      </strong>{' '}
      now, instead of <Amount value={from} symbol={symbol} />.
    </Notice>
  )
}

export declare namespace PriceChangeNotice {
  type Props = { readonly change: PriceChange; readonly onAccept: () => void }
}
