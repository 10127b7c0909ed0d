import { CopyButton } from './CopyButton.tsx'
import styles from './Address.module.css'
import { shortenHex } from './shortenHex.ts'

/** An address or a hash, shortened, with the whole of it on hover and to copy. */
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
    /** What it is, for the button: `the address of the pool`. */
    readonly label: string
    /** The page of the block explorer. */
    readonly href?: string | undefined
  }
}
