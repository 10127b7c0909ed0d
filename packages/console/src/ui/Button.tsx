import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { classes } from './classes.ts'
import { CheckIcon, CopyIcon } from './icons.tsx'
import styles from './ui.module.css'

/**
 * A button. Use `primary` once in each view, and `danger` for actions that cannot be undone. A busy button keeps its
 * width and ignores clicks.
 */
export function Button({
  variant = 'secondary',
  size = 'normal',
  isBusy = false,
  icon,
  children,
  ...props
}: Button.Props) {
  return (
    <button
      type="button"
      {...props}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || props['aria-disabled']}
      onClick={isBusy ? undefined : props.onClick}
      className={classes(styles['button'], styles[variant], styles[size], props.className)}
    >
      {icon}
      {children}
    </button>
  )
}

export declare namespace Button {
  type Props = ComponentProps<'button'> & {
    readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
    readonly size?: 'normal' | 'small' | 'large'
    readonly isBusy?: boolean
    readonly icon?: ReactNode
  }
}

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

/** A button that saves a table of texts as a CSV file. Without rows below the header it does nothing. */
export function CsvButton({ name, rows, children }: CsvButton.Props) {
  const isEmpty = rows.length < 2
  return (
    <Button size="small" aria-disabled={isEmpty} onClick={() => !isEmpty && downloadCsv(name, toCsv(rows))}>
      {children}
    </Button>
  )
}

export declare namespace CsvButton {
  type Props = {
    /** The name of the file. */
    readonly name: string
    /** The rows, the header first. */
    readonly rows: readonly (readonly string[])[]
    readonly children: ReactNode
  }
}

/**
 * Formats rows as CSV by RFC 4180, with CRLF at the end of each line. A cell that a spreadsheet would run as a formula
 * gets a leading `'`, because other people choose names and symbols.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')
}

function toCell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Saves a CSV file as UTF-8 with a byte order mark, which spreadsheets need. */
function downloadCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
