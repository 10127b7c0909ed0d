import { CopyButton } from './Button.tsx'
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

/** Shortens an address or a hash for display: `0x3C44…93BC`. Short values are returned unchanged. */
export function shortenHex(value: string): string {
  return value.length > 12 ? `${value.slice(0, 6)}…${value.slice(-4)}` : value
}

/** Finds a transaction hash in a text, such as a block explorer URL. Returns undefined without a hash. */
export function parseHash(text: string): `0x${string}` | undefined {
  const found = /0x[\da-f]{64}(?![\da-f])/i.exec(text)?.[0]
  return found?.toLowerCase() as `0x${string}` | undefined
}
