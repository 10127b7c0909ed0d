import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'
import styles from './ui.module.css'

/**
 * A button that copies a text and confirms it for a moment. Without permission for the clipboard, it says so instead.
 */
export function CopyButton({ text, label, children }: CopyButton.Props) {
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (result === undefined) return undefined
    const timer = setTimeout(setResult, 2000, undefined)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setResult('copied'),
      () => setResult('failed'),
    )
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={children === undefined ? label : undefined}
      title={label}
      icon={result === 'copied' ? <CheckIcon /> : <CopyIcon />}
      onClick={() => void copy()}
    >
      {children}
      <output className={children === undefined && result !== 'failed' ? 'visually-hidden' : undefined}>
        {result === 'copied' && 'Copied'}
        {result === 'failed' && 'Cannot copy'}
      </output>
    </Button>
  )
}

export declare namespace CopyButton {
  type Props = {
    readonly text: string
    /** Accessible name, such as `Copy the request id`. */
    readonly label: string
    readonly children?: ReactNode
  }
}

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
