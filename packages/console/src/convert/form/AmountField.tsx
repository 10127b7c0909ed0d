import type { NamedToken } from '@agio/sdk'
import { useId, type CSSProperties } from 'react'
import { Amount } from '../../amount/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import styles from './AmountField.module.css'

/** An amount that can be typed, of a token that can be selected, with what the wallet holds of it. */
export function AmountField({ label, tokenLabel, value, note, onType, ...props }: AmountField.Props) {
  const id = useId()
  return (
    <div className={classes(styles['box'], note?.isError && styles['invalid'])}>
      <div className={styles['head']}>
        <label htmlFor={id}>{label}</label>
        <Balance {...props} />
      </div>
      <div className={styles['entry']}>
        <div className={styles['fit']} style={{ '--characters': value.length } as CSSProperties}>
          <input
            id={id}
            className={classes(styles['amount'], props.isOld && styles['old'])}
            value={value}
            placeholder="0"
            inputMode="decimal"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            aria-invalid={note?.isError || undefined}
            aria-describedby={`${id}-note`}
            aria-busy={props.isOld || undefined}
            onChange={({ target }) => onType(target.value)}
          />
        </div>
        <TokenSelect label={tokenLabel} {...props} />
      </div>
      <p id={`${id}-note`} className={classes(styles['note'], note?.isError && styles['error'])}>
        {note?.text}
      </p>
    </div>
  )
}

export declare namespace AmountField {
  type Props = {
    readonly label: string
    readonly tokenLabel: string
    readonly value: string
    /** A hint, or why the text is no amount. */
    readonly note: { readonly text: string; readonly isError: boolean } | undefined
    /** Whether the value is that of a previous quote. */
    readonly isOld: boolean
    readonly tokens: readonly NamedToken[]
    readonly token: NamedToken | undefined
    /** What the wallet holds, in whole tokens; undefined if that is unknown. */
    readonly balance: string | undefined
    /** Why the balance is unknown; undefined without a wallet. */
    readonly balanceNote: string | undefined
    readonly onType: (text: string) => void
    readonly onSelect: (address: `0x${string}`) => void
    /** Enters the whole balance. */
    readonly onMax?: (balance: string) => void
  }
}

function Balance({ balance, balanceNote, onMax }: Pick<AmountField.Props, 'balance' | 'balanceNote' | 'onMax'>) {
  if (balance === undefined && balanceNote === undefined) return null
  return (
    <span className={styles['balance']}>
      Balance{' '}
      {balance === undefined ? (
        <Tooltip text={balanceNote ?? ''}>
          <span tabIndex={0}>unknown</span>
        </Tooltip>
      ) : (
        <Amount value={balance} />
      )}
      {balance !== undefined && onMax && (
        <Button
          variant="quiet"
          size="small"
          className={styles['max']}
          disabled={balance === '0'}
          title="Pay the whole balance"
          onClick={() => onMax(balance)}
        >
          Max
        </Button>
      )}
    </span>
  )
}

type SelectProps = Pick<AmountField.Props, 'tokens' | 'token' | 'onSelect'> & { readonly label: string }

function TokenSelect({ label, tokens, token, onSelect }: SelectProps) {
  return (
    <select
      aria-label={label}
      className={styles['token']}
      value={token?.address ?? ''}
      disabled={!token}
      onChange={({ target }) => onSelect(target.value as `0x${string}`)}
    >
      {!token && <option value="">Token</option>}
      {tokens.map(({ address, symbol, name }) => (
        <option key={address} value={address} title={name}>
          {symbol}
        </option>
      ))}
    </select>
  )
}
