import { CopyButton } from './CopyButton.tsx'
import { shortenHex } from './hex.ts'
import styles from './ui.module.css'

/** Shows a shortened address or hash. The full value is shown on hover and can be copied. */
export function Address({ value, label, href }: Address.Props) {
  const short = <code title={value}>{shortenHex(value)}</code>
  return (
    <span className={styles['address']}>
      {href === undefined ? (
        short
      ) : (
        <a href={href} target="_blank" rel="noreferrer">
          {short}
        </a>
      )}
      <CopyButton text={value} label={`Copy ${label}`} />
    </span>
  )
}

export declare namespace Address {
  type Props = {
    readonly value: string
    /** Its name for the copy button: `the address of the pool`. */
    readonly label: string
    /** URL of the block explorer. */
    readonly href?: string | undefined
  }
}
