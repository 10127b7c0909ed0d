import { CopyButton } from '../../ui/CopyButton.tsx'
import styles from './CodeBlock.module.css'

/** A text to read and to copy, in lines of its own. */
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
    /** What it is: `the command`. */
    readonly label: string
    /** Whether lines that are too long are broken; otherwise they are scrolled. */
    readonly canWrap?: boolean
  }
}
