import { Decimal } from '@agio/react/internal'
import { Tooltip } from '../ui/Tooltip.tsx'
import styles from './Amount.module.css'

/**
 * Shows an amount of a token with all of its digits. With `maxDecimals` the amount is cut and marked by `≈`, and the
 * full amount is shown on hover and on focus. Copied text has all digits.
 */
export function Amount({ value, symbol, maxDecimals }: Amount.Props) {
  const short = maxDecimals === undefined ? value : Decimal.shorten(value, maxDecimals)
  const unit = symbol === undefined ? '' : ` ${symbol}`
  if (short === value) return <span className={styles['amount']}>{`${Decimal.format(value)}${unit}`}</span>
  return (
    <Tooltip text={`${Decimal.format(value)}${unit}`}>
      <span className={styles['amount']} tabIndex={0} onCopy={(event) => copyWhole(event, `${value}${unit}`)}>
        {`≈ ${Decimal.format(short)}${unit}`}
      </span>
    </Tooltip>
  )
}

export declare namespace Amount {
  type Props = {
    /** A decimal string in whole tokens. */
    readonly value: string
    readonly symbol?: string | undefined
    /** Fractional digits to show. Default: all. */
    readonly maxDecimals?: number | undefined
  }
}

function copyWhole(event: React.ClipboardEvent, text: string): void {
  event.clipboardData.setData('text/plain', text)
  event.preventDefault()
}
