import { CopyButton } from './CopyButton.tsx'
import styles from './ui.module.css'

/** A block of text that can be copied. */
export function CodeBlock({ text, label, canWrap = false }: CodeBlock.Props) {
  return (
    <div className={styles['block']}>
      <pre tabIndex={0} className={canWrap ? styles['wrapped'] : undefined}>
        {text}
      </pre>
      <div className={styles['copy']}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  )
}

export declare namespace CodeBlock {
  type Props = {
    readonly text: string
    /** The name of the text, such as `the command`. */
    readonly label: string
    /** Whether long lines wrap. Otherwise they scroll. */
    readonly canWrap?: boolean
  }
}
