import type { Balances } from '@agio/react/internal'
import type { NamedToken } from '@agio/sdk'
import { useId, useState, type KeyboardEvent } from 'react'
import { Amount } from '../../amount/Amount.tsx'
import { classes } from '../../ui/classes.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import styles from './form.module.css'

/** A button with the selected token. It opens a list of all tokens with their balances, which the user can search. */
export function TokenPicker({ label, token, ...props }: TokenPicker.Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={styles['token']}
        aria-haspopup="dialog"
        disabled={!token}
        onClick={() => setIsOpen(true)}
      >
        <span className="visually-hidden">{`${label}: `}</span>
        {token && <TokenIcon symbol={token.symbol} />}
        {token?.symbol ?? 'Token'}
      </button>
      {isOpen && (
        <Dialog title={label} onClose={() => setIsOpen(false)}>
          <TokenList
            {...props}
            token={token}
            onSelect={(address) => {
              setIsOpen(false)
              props.onSelect(address)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

export declare namespace TokenPicker {
  type Props = ListProps & { readonly label: string }
}

type ListProps = {
  readonly tokens: readonly NamedToken[]
  readonly token: NamedToken | undefined
  readonly balances: Balances
  readonly onSelect: (address: `0x${string}`) => void
}

/** A combobox with a list that is always open. The arrow keys move in the list, and Enter selects. */
function TokenList({ tokens, token, balances, onSelect }: ListProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const found = tokens.filter((each) => matches(each, search))
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      found.findIndex(({ address }) => address === token?.address),
    ),
  )
  const active = found[Math.min(at, found.length - 1)]
  const move = (event: KeyboardEvent) => {
    const last = found.length - 1
    const next = { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[event.key]
    if (event.key === 'Enter' && active) onSelect(active.address)
    if (next !== undefined) setAt(next)
    if (next !== undefined || event.key === 'Enter') event.preventDefault()
  }
  return (
    <>
      <input
        className={styles['search']}
        role="combobox"
        aria-label="Search by name or address"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={active && `${id}-${active.address}`}
        placeholder="Name or address"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={search}
        onChange={({ target }) => {
          setSearch(target.value)
          setAt(0)
        }}
        onKeyDown={move}
      />
      {/* eslint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- The pattern of a combobox, whose field has the focus and the keys */}
      <div id={id} role="listbox" aria-label="Tokens" className={styles['list']}>
        {found.map((each, index) => (
          <div
            key={each.address}
            id={`${id}-${each.address}`}
            role="option"
            aria-selected={each.address === token?.address}
            className={classes(styles['option'], each === active && styles['active'])}
            onPointerMove={() => setAt(index)}
            onClick={() => onSelect(each.address)}
          >
            <TokenIcon symbol={each.symbol} />
            <span>
              <strong>{each.symbol}</strong>
              <span className="note">{each.name}</span>
            </span>
            <Balance balance={balances[each.address]} />
          </div>
        ))}
      </div>
      {/* eslint-enable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
      <output className="note">{found.length === 0 && 'No token has this name or address.'}</output>
    </>
  )
}

function Balance({ balance }: { readonly balance: string | undefined }) {
  return balance === undefined ? null : <Amount value={balance} />
}

/** A circle with the letters of a token. */
function TokenIcon({ symbol }: { readonly symbol: string }) {
  return (
    <span className={styles['icon']} data-letter={symbol.replace(/^t(?=[A-Z])/, '').slice(0, 1)} aria-hidden="true" />
  )
}

function matches({ symbol, name, address }: NamedToken, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  return `${symbol} ${name}`.toLowerCase().includes(wanted) || address.toLowerCase() === wanted
}
