import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { useNetwork } from '../../settings/network.ts'
import { settings } from '../../settings/settings.ts'
import { Button } from '../../ui/Button.tsx'
import { FlipIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { WalletButton } from '../../wallet/WalletButton.tsx'
import { ApprovalLine } from '../issues/ApprovalLine.tsx'
import { WalletIssues } from '../issues/WalletIssues.tsx'
import { AmountField } from './AmountField.tsx'
import styles from './ConvertForm.module.css'
import { ConvertStatus } from './ConvertStatus.tsx'
import { selectToken, type Side } from './pair.ts'
import { PriceChangeNotice } from './PriceChangeNotice.tsx'
import { QuoteFailure } from './QuoteFailure.tsx'
import type { ConvertFormState } from './useConvertForm.ts'
import { useForm } from './useForm.ts'

/** What to convert: both amounts and both tokens, what is in the way, and the button that converts. */
export function ConvertForm({ form, failed }: ConvertForm.Props) {
  const { chain, wallet, pair, tokenIn, balances, view } = form
  const { flip } = useForm()
  const element = useRef<HTMLFormElement>(null)
  const onMined = async () => {
    await form.onMined()
    // The button that was pressed goes.
    focusNext(element.current, form.amount.kind === 'empty' ? 'input' : submitSelector)
  }
  return (
    <Panel className={styles['panel']}>
      <form
        ref={element}
        aria-label="Convert"
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void form.convert()
        }}
      >
        <div className={styles['amounts']}>
          <Amounts form={form} side="tokenIn" />
          <Button
            className={styles['flip']}
            icon={<FlipIcon />}
            aria-label="Swap the tokens"
            disabled={!chain || !pair}
            onClick={() => chain && pair && flip(chain.chainId, pair)}
          />
          <Amounts form={form} side="tokenOut" />
        </div>
        {failed && <ErrorNotice {...failed} />}
        {!failed && view.failed && <QuoteFailure view={view} />}
        {chain && wallet && (
          <>
            <OtherNetwork of={wallet.chainId} />
            <WalletIssues
              wallet={wallet}
              chain={chain}
              quote={view.quote}
              emptyToken={tokenIn && balances[tokenIn.address] === '0' ? tokenIn.symbol : undefined}
              onMined={onMined}
            />
          </>
        )}
        <MainButton form={form} onLeave={() => focusNext(element.current, submitSelector)} />
        {/* Below the button, which stays where it is when the first quote comes. */}
        {wallet && view.quote && form.needsApproval && (
          <ApprovalLine wallet={wallet} quote={view.quote} isCurrent={view.isCurrent} onMined={onMined} />
        )}
      </form>
    </Panel>
  )
}

export declare namespace ConvertForm {
  type Props = {
    readonly form: ConvertFormState
    /** Why the tokens could not be loaded. */
    readonly failed: { readonly error: unknown; readonly at: number } | undefined
  }
}

const submitSelector = '[type=submit]'

/** Moves the focus on from a button that goes, unless the user types. */
function focusNext(form: HTMLFormElement | null, selector: string): void {
  if (!(document.activeElement instanceof HTMLInputElement)) form?.querySelector<HTMLElement>(selector)?.focus()
}

const sides = {
  tokenIn: { mode: 'exact-in', amount: 'amountIn', label: 'You pay', tokenLabel: 'Token to pay' },
  tokenOut: { mode: 'exact-out', amount: 'amountOut', label: 'You receive', tokenLabel: 'Token to receive' },
} as const

function Amounts({ form, side }: { readonly form: ConvertFormState; readonly side: Side }) {
  const { chain, wallet, pair, amount, balances, view } = form
  const { mode, text, setText, setPair } = useForm()
  const { amount: field, ...of } = sides[side]
  const token = form[side]
  const isTyped = mode === of.mode
  return (
    <AmountField
      {...of}
      value={isTyped ? text : (view.quote?.[field] ?? '')}
      note={isTyped ? toNote(amount) : undefined}
      isOld={!isTyped && view.quote !== undefined && (!view.isCurrent || view.isExpired)}
      tokens={chain?.tokens ?? []}
      token={token}
      balance={token && balances[token.address]}
      balanceNote={wallet && chain && toBalanceNote(wallet.chainId === chain.chainId)}
      onType={(typed) => setText(of.mode, typed)}
      onSelect={(address) => chain && pair && setPair(chain.chainId, selectToken(pair, side, address))}
      {...(side === 'tokenIn' && { onMax: (balance) => setText('exact-in', balance) })}
    />
  )
}

function toNote(amount: ConvertFormState['amount']) {
  if (amount.kind === 'invalid') return { text: amount.reason, isError: true }
  return amount.kind === 'amount' && amount.hint !== undefined ? { text: amount.hint, isError: false } : undefined
}

function toBalanceNote(isThere: boolean): string {
  return isThere ? 'The wallet has not said yet what it holds.' : 'The wallet is on another network.'
}

/** A conversion asks the wallet to switch, which is better known before. */
function OtherNetwork({ of }: { readonly of: number }) {
  const { network } = useNetwork()
  if (of === network.chainId) return null
  const name = settings.networks.find(({ chainId }) => chainId === of)?.name ?? `chain ${of}`
  return (
    <Notice
      title={`The wallet is on ${name}`}
    >{`The conversion will ask it to switch to ${network.name} first.`}</Notice>
  )
}

function MainButton({ form, onLeave }: { readonly form: ConvertFormState; readonly onLeave: () => void }) {
  const { wallet, view, obstacle, isConverting } = form
  const statusId = useId()
  if (!wallet) return <WalletButton size="large" isPrimary />
  if (view.change && !isConverting) {
    const accept = () => {
      flushSync(view.accept)
      onLeave()
    }
    return <PriceChangeNotice change={view.change} onAccept={accept} />
  }
  return (
    <div className={styles['main']}>
      <Button
        type="submit"
        variant="primary"
        size="large"
        aria-disabled={obstacle !== undefined}
        isBusy={form.isStarting}
        aria-describedby={statusId}
      >
        Convert
      </Button>
      <ConvertStatus id={statusId} view={view} obstacle={obstacle} onRenew={onLeave} />
    </div>
  )
}
