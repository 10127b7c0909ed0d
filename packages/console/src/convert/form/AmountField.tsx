import type { Balances } from '@agio/react/internal'
import type { NamedToken } from '@agio/sdk'
import { useId, type CSSProperties } from 'react'
import { Amount } from '../../amount/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import styles from './form.module.css'
import { TokenPicker } from './TokenPicker.tsx'

/** An amount field with a token selection and the wallet's balance. */
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
        <TokenPicker label={tokenLabel} {...props} />
      </div>
      <p id={`${id}-note`} className={classes('note', styles['description'], note?.isError && styles['error'])}>
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
    /** A hint, or the reason why the text is not an amount. */
    readonly note: { readonly text: string; readonly isError: boolean } | undefined
    /** Whether the value comes from a previous quote. */
    readonly isOld: boolean
    readonly tokens: readonly NamedToken[]
    readonly token: NamedToken | undefined
    /** Balance of the wallet in whole tokens. Undefined if unknown. */
    readonly balance: string | undefined
    /** The known balances of all tokens. */
    readonly balances: Balances
    /** The reason why the balance is unknown. Undefined without a wallet. */
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
